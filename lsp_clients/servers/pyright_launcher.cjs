// Starts pyright's language server with one thing switched off: mapping declarations in stubs outside the repository
// back to the Python sources that they describe. Pyright has no setting for it.
//
// Environment: TIELINE_PYRIGHT (the package's folder), TIELINE_ROOT (the repository). One line on standard error says
// what was done. A build that looks different is started as it is: slower, same answers.
'use strict';
const path = require('node:path');

const dist = path.join(process.env.TIELINE_PYRIGHT, 'dist');
const root = process.env.TIELINE_ROOT;
global.__rootDirectory = dist + path.sep;

function inside(file) {
    return typeof file !== 'string' || file === root || file.startsWith(root + path.sep);
}

function restrict(mapper) {
    const original = mapper && mapper.prototype && mapper.prototype.getSourcePathsFromStub;
    if (typeof original !== 'function') return false;
    mapper.prototype.getSourcePathsFromStub = function (stub, ...rest) {
        const file = typeof stub.getFilePath === 'function' ? stub.getFilePath() : undefined;
        return inside(file) ? original.call(this, stub, ...rest) : [];
    };
    return true;
}

function say(text) {
    process.stderr.write(`tieline: ${text}\n`);
}

let candidates = 0;
try {
    // The bundle's module functions, before the first of them runs.
    const { modules } = require(path.join(dist, 'pyright-internal.js'));
    for (const id of Object.keys(modules)) {
        const define = modules[id];
        if (!/\bgetSourcePathsFromStub\([^)]*\)\s*\{/.test(Function.prototype.toString.call(define))) continue;
        candidates += 1;
        modules[id] = function (module, exports, load) {
            define.call(this, module, exports, load);
            const done = restrict((module.exports || exports).SourceMapper);
            say(done ? 'external stubs are not mapped' : 'this pyright build is unknown: external stubs are mapped');
        };
    }
} catch (error) {
    say(`pyright's bundle cannot be read: ${error.message}`);
}
if (candidates === 0) say('this pyright build is unknown: external stubs are mapped');

require(path.join(dist, 'pyright-langserver.js'));
