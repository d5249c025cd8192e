// A tsserver plugin: loads one project without opening a file, and answers whole files with the type checker.
//
// Requests, by `typescript.tsserverRequest` (positions are LSP's: 0-based lines that end with CR LF, LF or CR, and
// UTF-16 code units):
//   tieline/hello {} -> {typescript: its version}
//   tieline/project {config: path | null, files: [path], options, folder, modules: {specifier: path}}
//     -> {files, blocked: [plugin name], enabled}
//     `modules`: what specifiers mean that the compiler finds nothing for (packages of the repository, not linked).
//   tieline/answers {file, digest, sites: [line, character, ...]}
//     -> {problem} | {targets: [[file, line, character, line, character] | [file, symbol]], answers: [[target] | null]}
// A target with a symbol lies in an installed package or in the standard library. null: the checker failed there.
'use strict';
const crypto = require('node:crypto');
const fs = require('node:fs');

const NAME = 'tieline-tsserver-plugin';
const ALIAS_LIMIT = 16;
const installed = new WeakSet();

module.exports = ({ typescript: ts }) => ({
    create(info) {
        if (info.session && !installed.has(info.session)) {
            installed.add(info.session);
            install(ts, info.session, info.project.projectService);
        }
        return info.languageService;
    },
});

function install(ts, session, service) {
    const blocked = new Set();
    const enable = service.requestEnablePlugin;
    // Plugins that a repository names in its configuration are its own code: they are not run.
    service.requestEnablePlugin = function (project, entry, paths) {
        if (entry && entry.name === NAME && entry.global) enable.call(this, project, entry, paths);
        else blocked.add(String((entry && entry.name) || ''));
    };
    // Nothing is watched: a run asks about the bytes that are there, and every answer is checked against their hash.
    const unwatched = { close() {} };
    service.host.watchFile = () => unwatched;
    service.host.watchDirectory = () => unwatched;
    // Whether so much JavaScript is worth its memory is for the limit of the process to say.
    service.getFilenameForExceededTotalSizeLimitForNonTsFiles = () => undefined;

    let asking;
    session.addProtocolHandler('tieline/hello', () => respond({ typescript: ts.version }));
    session.addProtocolHandler('tieline/project', (request) => {
        const project = load(ts, service, request.arguments);
        const program = project.getLanguageService(true).getProgram();
        asking = program && new Asking(ts, project, program);
        return respond({
            files: program ? program.getSourceFiles().filter((file) => isOwn(program, file)).length : 0,
            blocked: [...blocked].sort(),
            enabled: project.languageServiceEnabled,
        });
    });
    session.addProtocolHandler('tieline/answers', (request) => {
        const { file, digest, sites } = request.arguments;
        return respond(asking ? asking.answers(file, digest, sites) : { problem: 'there is no program' });
    });
}

function respond(response) {
    return { response, responseRequired: true };
}

function load(ts, service, { config, files, options, folder, modules }) {
    if (config) {
        const name = ts.server.toNormalizedPath(config);
        const project = service.findConfiguredProjectByProjectName(name) || service.createConfiguredProject(name, NAME);
        teach(ts, project, modules);
        project.updateGraph();
        return project;
    }
    const projectFileName = `${folder}/${NAME}`;
    const typeAcquisition = { enable: false, include: [], exclude: [] };
    service.openExternalProject({ projectFileName, rootFiles: [], options, typeAcquisition }, false);
    const project = service.findProject(projectFileName);
    teach(ts, project, modules);
    // Scripts that begin with `#!` may have no extension.
    const kind = (name) => (/\.[cm]?[jt]sx?$/.test(name) ? undefined : 'JS');
    const rootFiles = files.map((fileName) => ({ fileName, scriptKind: kind(fileName) }));
    service.openExternalProject({ projectFileName, rootFiles, options, typeAcquisition }, false);
    return project;
}

/** Let a project find modules that are known to us and not to the compiler. */
function teach(ts, project, modules) {
    const resolve = project.resolveModuleNameLiterals;
    project.resolveModuleNameLiterals = function (literals, ...rest) {
        return resolve.call(this, literals, ...rest).map((found, index) => {
            const path = modules[literals[index].text];
            if (found.resolvedModule || typeof path !== 'string') return found;
            const extension = ts.extensionFromPath(path);
            return { ...found, resolvedModule: { resolvedFileName: path, extension, isExternalLibraryImport: false } };
        });
    };
}

function isOwn(program, file) {
    return !program.isSourceFileDefaultLibrary(file) && !file.fileName.includes('/node_modules/');
}

/** Line starts as LSP has them: U+2028 and U+2029, which end a line of ECMAScript, do not. */
function lineStarts(text) {
    const starts = [0];
    for (const match of text.matchAll(/\r\n|\n|\r/g)) starts.push(match.index + match[0].length);
    return starts;
}

function lineOf(starts, offset) {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (starts[middle] <= offset) low = middle;
        else high = middle - 1;
    }
    return low;
}

class Asking {
    constructor(ts, project, program) {
        this.ts = ts;
        this.project = project;
        this.program = program;
        this.checker = program.getTypeChecker();
        this.starts = new Map();
        this.real = new Map();
    }

    answers(fileName, digest, sites) {
        const file = this.program.getSourceFile(fileName);
        if (!file) return { problem: 'the file is not part of the project' };
        if (crypto.createHash('sha1').update(file.text).digest('hex') !== digest) {
            return { problem: 'the server has other bytes of the file' };
        }
        const starts = this.startsOf(file.fileName, file.text);
        const offsets = [];
        for (let at = 0; at < sites.length; at += 2) offsets.push(starts[sites[at]] + sites[at + 1]);
        const nodes = this.nodesAt(file, new Set(offsets));
        const targets = [];
        const known = new Map();
        const answers = offsets.map((offset) => {
            const node = nodes.get(offset);
            if (!node) return [];
            try {
                return [...new Set(this.placesOf(node).map((place) => {
                    const key = place.join('\0');
                    if (!known.has(key)) known.set(key, targets.push(place) - 1);
                    return known.get(key);
                }))];
            } catch (error) {
                if (error instanceof this.ts.OperationCanceledException) throw error;
                return null;
            }
        });
        return { targets, answers };
    }

    startsOf(name, text) {
        let starts = this.starts.get(name);
        if (!starts) this.starts.set(name, (starts = lineStarts(text)));
        return starts;
    }

    // -- nodes --------------------------------------------------------------------------------------------------------

    /** The names that begin at some offsets. Trees can be deep: nothing here recurses. */
    nodesAt(file, wanted) {
        const { ts } = this;
        const found = new Map();
        const stack = [file];
        const push = (node) => void stack.push(node);
        while (stack.length > 0) {
            const node = stack.pop();
            if (isName(ts, node)) {
                const start = node.getStart(file, false);
                if (wanted.has(start)) found.set(start, node);
            }
            for (const doc of node.jsDoc || []) stack.push(doc);
            ts.forEachChild(node, push, (nodes) => void nodes.forEach(push));
        }
        return found;
    }

    // -- symbols ------------------------------------------------------------------------------------------------------

    /** The places that declare what a name means: aliases followed to the end, several declarations kept. */
    placesOf(node) {
        const places = [];
        for (const symbol of this.symbolsOf(node)) {
            const meant = this.followed(symbol);
            if (!meant) continue;
            for (const declaration of this.meant(node, this.declarationsOf(meant, 0))) {
                const place = this.placeOf(declaration, meant);
                if (place) places.push(place);
            }
        }
        return places;
    }

    symbolsOf(node) {
        const { ts, checker } = this;
        const { parent } = node;
        if (ts.isShorthandPropertyAssignment(parent) && parent.name === node) {
            return present([checker.getShorthandAssignmentValueSymbol(parent)]);
        }
        if (ts.isExportSpecifier(parent)) {
            return present([checker.getExportSpecifierLocalTargetSymbol(parent) || checker.getSymbolAtLocation(node)]);
        }
        if (ts.isImportSpecifier(parent)) return present([checker.getSymbolAtLocation(parent.name)]);
        if (ts.isBindingElement(parent) && ts.isObjectBindingPattern(parent.parent)
            && node === (parent.propertyName || parent.name)) {
            const local = ts.isIdentifier(parent.name) ? checker.getSymbolAtLocation(parent.name) : undefined;
            if (local && local.flags & ts.SymbolFlags.Alias) return [local];
            return this.propertiesOf(checker.getTypeAtLocation(parent.parent), node);
        }
        if (ts.isObjectLiteralElement(parent) && parent.name === node && !ts.isJsxAttributes(parent.parent)) {
            // A key of an object means the property of the type that the object is wanted as.
            const wanted = checker.getContextualType(parent.parent);
            if (wanted) return this.propertiesOf(wanted, node, parent.parent);
        }
        return present([checker.getSymbolAtLocation(node)]);
    }

    /** The properties of a name in a type, of a union in each of its types that an object (if any) can be one of. */
    propertiesOf(type, name, object) {
        if (!('text' in name)) return [];
        let types = type.isUnion() ? type.types : [type];
        if (object && types.length > 1) {
            types = some(types.filter((one) => !this.checker.isTypeInvalidDueToUnionDiscriminant(one, object)), types);
        }
        return present(types.map((one) => this.checker.getPropertyOfType(one, name.text)));
    }

    followed(symbol) {
        const { ts, checker } = this;
        let meant = symbol;
        for (let count = 0; count < ALIAS_LIMIT && meant.flags & ts.SymbolFlags.Alias; count += 1) {
            meant = checker.getAliasedSymbol(meant);
            if (checker.isUnknownSymbol(meant)) return undefined;
        }
        return meant;
    }

    declarationsOf(symbol, depth) {
        if (symbol.declarations && symbol.declarations.length > 0) return symbol.declarations;
        if (depth > 4) return [];
        const roots = this.checker.getRootSymbols(symbol).filter((root) => root !== symbol);
        return roots.flatMap((root) => this.declarationsOf(root, depth + 1));
    }

    /** Of several declarations those that a name in its place can mean; of overloads the one that is called. */
    meant(node, declarations) {
        if (declarations.length < 2) return declarations;
        const { ts } = this;
        const { parent } = node;
        if (ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent) || ts.isImportClause(parent)
            || ts.isExpressionWithTypeArguments(parent)) {
            return declarations;
        }
        let left = declarations;
        if (isTypePlace(ts, node)) {
            left = some(left.filter((one) => isTypeDeclaration(ts, one) || ts.isClassLike(one) || ts.isEnumDeclaration(one)),
                left);
        } else {
            left = some(left.filter((one) => !isTypeDeclaration(ts, one)), left);
        }
        const call = callOf(ts, node);
        if (!call) return left;
        left = some(left.filter((one) => ts.isFunctionLike(one) || ts.isClassLike(one)), left);
        if (left.filter((one) => ts.isFunctionLike(one)).length < 2) return left;
        const signature = this.checker.getResolvedSignature(call);
        const called = signature && signature.declaration;
        if (!called || !left.includes(called)) return left;
        return left.filter((one) => one === called || !ts.isFunctionLike(one) || one.parent !== called.parent);
    }

    // -- places -------------------------------------------------------------------------------------------------------

    placeOf(declaration, symbol) {
        const { ts, program } = this;
        const file = declaration.getSourceFile();
        if (!isOwn(program, file)) {
            const real = program.isSourceFileDefaultLibrary(file) ? file.fileName : this.realPath(file.fileName);
            if (program.isSourceFileDefaultLibrary(file) || real.includes('/node_modules/')) {
                return [real, qualifiedName(ts, symbol)];
            }
        }
        if (ts.isSourceFile(declaration)) return [this.sourceOf(file), 0, 0, 0, 0];
        const name = nameOf(ts, declaration);
        if (!name) return undefined;
        const start = name.getStart(file, false);
        if (file.isDeclarationFile) {
            const mapped = this.mapped(file, start, name.end);
            if (mapped) return mapped;
        }
        return this.range(this.realPath(file.fileName), file.text, start, name.end);
    }

    range(name, text, start, end) {
        const starts = this.startsOf(name, text);
        const first = lineOf(starts, start);
        const last = lineOf(starts, end);
        return [name, first, start - starts[first], last, end - starts[last]];
    }

    /** The place in the source that a declaration file was made from, by its declaration map. */
    mapped(file, start, end) {
        const found = this.project.getSourceMapper().tryGetSourcePosition({ fileName: file.fileName, pos: start });
        if (!found) return undefined;
        const text = this.ts.sys.readFile(found.fileName);
        const name = file.text.slice(start, end);
        if (text === undefined || !text.startsWith(name, found.pos)) return undefined;
        return this.range(found.fileName, text, found.pos, found.pos + name.length);
    }

    sourceOf(file) {
        if (!file.isDeclarationFile) return this.realPath(file.fileName);
        const first = file.statements.length > 0 ? file.statements[0].getStart(file) : 0;
        const found = this.project.getSourceMapper().tryGetSourcePosition({ fileName: file.fileName, pos: first });
        return found ? found.fileName : this.realPath(file.fileName);
    }

    realPath(name) {
        let real = this.real.get(name);
        if (real === undefined) {
            try {
                real = fs.realpathSync.native(name);
            } catch {
                real = name;
            }
            this.real.set(name, real);
        }
        return real;
    }
}

function present(symbols) {
    return symbols.filter((symbol) => symbol !== undefined);
}

function some(chosen, otherwise) {
    return chosen.length > 0 ? chosen : otherwise;
}

function isName(ts, node) {
    switch (node.kind) {
        case ts.SyntaxKind.Identifier:
        case ts.SyntaxKind.PrivateIdentifier:
        case ts.SyntaxKind.StringLiteral:
        case ts.SyntaxKind.NoSubstitutionTemplateLiteral:
        case ts.SyntaxKind.SuperKeyword:
        case ts.SyntaxKind.ThisKeyword:
            return true;
        default:
            return false;
    }
}

function isTypeDeclaration(ts, node) {
    return ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isJSDocTypedefTag(node)
        || ts.isJSDocCallbackTag(node) || ts.isJSDocEnumTag(node);
}

function isTypePlace(ts, node) {
    let place = node;
    while (ts.isQualifiedName(place.parent) && place.parent.right === place) place = place.parent;
    return !ts.isQualifiedName(place.parent) && ts.isPartOfTypeNode(place);
}

/** The call, construction, tag, decorator or element whose callee a name is. */
function callOf(ts, node) {
    let callee = node;
    if (ts.isPropertyAccessExpression(callee.parent) && callee.parent.name === callee) callee = callee.parent;
    while (ts.isParenthesizedExpression(callee.parent) || ts.isNonNullExpression(callee.parent)) callee = callee.parent;
    const { parent } = callee;
    if (!parent || !ts.isCallLikeExpression(parent)) return undefined;
    const called = parent.expression || parent.tag || parent.tagName;
    return called === callee ? parent : undefined;
}

/** The node whose text names a declaration; for one without a name the keyword that stands for it. */
function nameOf(ts, declaration) {
    if (ts.isConstructorDeclaration(declaration)) {
        return declaration.getChildren().find((child) => child.kind === ts.SyntaxKind.ConstructorKeyword);
    }
    const name = ts.getNameOfDeclaration(declaration);
    if (name) return name;
    const keyword = (node) => node.kind === ts.SyntaxKind.DefaultKeyword;
    const found = (declaration.modifiers || []).find(keyword) || declaration.getChildren().find(keyword);
    if (found) return found;
    const { parent } = declaration;
    // `const f = () => {}`, `export default () => {}`, `module.exports = class {}`.
    if (parent && ts.isExportAssignment(parent)) return nameOf(ts, parent);
    if (parent && ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name)) return parent.name;
    return undefined;
}

function qualifiedName(ts, symbol) {
    const parts = [];
    for (let one = symbol; one; one = one.parent) {
        const name = ts.unescapeLeadingUnderscores(one.escapedName);
        if (one.flags & ts.SymbolFlags.ValueModule && name.startsWith('"')) {
            // A file is in no need of a name; an ambient module is called by its specifier.
            if (!name.includes('/') || name.startsWith('"node:')) parts.unshift(name.slice(1, -1).replace('node:', ''));
            break;
        }
        if (!name.startsWith('__') && name !== 'export=' && name !== 'default') parts.unshift(name.split('@')[0] || name);
    }
    return parts.join('.');
}
