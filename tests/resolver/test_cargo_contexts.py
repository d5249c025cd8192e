"""Compilation contexts of Rust, found from manifests and the `cfg` of sources alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from graph.link.world import Manifest
from resolver.contexts import Context, ContextOptions, contexts_of
from resolver.contexts.cargo import external_package, host_target
from resolver.contexts.cargo_builds import Build, Condition, holds, targets
from resolver.contexts.cargo_conditions import conditions_of_attributes
from resolver.contexts.cargo_workspaces import Workspace, active_features, layout
from tests.harness.indexing import Repository, write_files

PACKAGE = '[package]\nname = "{name}"\nversion = "0.1.0"\nedition = "2021"\n'


def package(name: str, rest: str = "") -> str:
    return PACKAGE.format(name=name) + rest


def contexts(repository: Repository, *, trust: bool = False) -> dict[str, Context]:
    repository.index()
    with repository.read() as state:
        found = contexts_of(state.connection, repository.root, ContextOptions(trust=trust))
    return {context.name: context for context in found}


def members(repository: Repository, context: Context) -> list[str]:
    with repository.read() as state:
        return [state.file(number).path for number in context.files]


def reasons(repository: Repository, context: Context) -> dict[str, str]:
    with repository.read() as state:
        return {state.file(number).path: reason for number, reason in context.excluded.items()}


def one(tmp_path: Path, source: str, features: str = "", **files: str) -> Repository:
    """A repository of one package."""
    return Repository(tmp_path, {"Cargo.toml": package("p", features), "src/lib.rs": source, **files})


def variants(tmp_path: Path, source: str, features: str = "") -> list[str]:
    return [name.removeprefix("cargo:.@") for name in contexts(one(tmp_path, source, features))]


# -- which builds -----------------------------------------------------------------------------------------------------


def test_the_host_is_always_there(tmp_path: Path) -> None:
    repository = one(tmp_path, "pub fn f() {}\n")
    ((name, context),) = contexts(repository).items()
    assert name == "cargo:.@default"
    assert (context.ecosystem, context.root, context.server) == ("cargo", ".", "rust-analyzer")
    assert members(repository, context) == ["src/lib.rs"]
    assert context.settings["cargo"]["target"] == host_target()
    assert context.settings["cfg"] == {"setTest": True}


def test_no_rust_no_context(tmp_path: Path) -> None:
    found = contexts(Repository(tmp_path, {"a.py": "x = 1\n", "Cargo.toml": package("p")}))
    assert not any(context.ecosystem == "cargo" for context in found.values())


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('#[cfg(feature = "a")] fn f() {}', ["default", "features=a"]),
        ('#[cfg(feature = "a")] fn f() {}\n#[cfg(feature = "b")] fn g() {}', ["default", "features=a,b"]),
        (
            '#[cfg(all(feature = "a", not(feature = "b")))] fn f() {}\n#[cfg(feature = "b")] fn g() {}',
            ["default", "features=a", "features=b"],
        ),
        # Branches of the host's own build need no other.
        ('#[cfg(feature = "on")] fn f() {}\n#[cfg(test)] mod t {}\n#[cfg(not(feature = "a"))] fn g() {}', ["default"]),
        ('#[cfg(not(feature = "on"))] fn f() {}', ["default", "no-default-features"]),
        ("#[cfg(windows)] fn f() {}", ["default", "target=x86_64-pc-windows-msvc"]),
        ('#[cfg(target_os = "macos")] fn f() {}', ["default", "target=aarch64-apple-darwin"]),
        ('#[cfg(all(windows, feature = "a"))] fn f() {}', ["default", "features=a,target=x86_64-pc-windows-msvc"]),
        ("#[cfg(loom)] fn f() {}", ["cfg=loom", "default"]),
        ("#[cfg(not(test))] fn f() {}", ["default", "test=off"]),
        ("#[cfg(not(debug_assertions))] fn f() {}", ["debug-assertions=off", "default"]),
        # What stands around a branch counts too, and so do statements, fields, arms, and whole files.
        ('#[cfg(unix)] mod m { #[cfg(feature = "a")] fn f() {} }', ["default", "features=a"]),
        ('fn f() { #[cfg(feature = "a")] let x = 1; }', ["default", "features=a"]),
        ('struct S { #[cfg(feature = "a")] x: u8 }', ["default", "features=a"]),
        ('#[cfg(feature = "a")] use std::fmt;', ["default", "features=a"]),
        ('#[cfg(any(feature = "a", windows))] impl u8 {}', ["default", "features=a"]),
        ("mod m { #![cfg(windows)] fn f() {} }", ["default", "target=x86_64-pc-windows-msvc"]),
        # Text is no attribute.
        ('const T: &str = r##"#[cfg(feature = "a")]"##; // #[cfg(windows)]', ["default"]),
        # Nothing that cargo can be asked for.
        ("#[cfg(all(windows, unix))] fn f() {}", ["default"]),
        ('#[cfg(feature = "undeclared")] fn f() {}', ["default"]),
    ],
)  # fmt: skip
def test_every_branch_is_compiled_in_some_build(tmp_path: Path, source: str, expected: list[str]) -> None:
    assert variants(tmp_path, source + "\n", '[features]\ndefault = ["on"]\non = []\na = []\nb = []\n') == expected


def test_branches_of_cfg_if(tmp_path: Path) -> None:
    source = 'cfg_if::cfg_if! { if #[cfg(feature = "a")] { fn f() {} } else { fn f() {} } }\n'
    assert variants(tmp_path, source, "[features]\na = []\n") == ["default", "features=a"]


def test_macros_that_stand_for_a_condition(tmp_path: Path) -> None:
    """The way of tokio and others: `cfg_rt! { mod runtime; }`."""
    repository = one(
        tmp_path,
        "#[macro_use]\nmod macros;\ncfg_rt! { mod runtime; pub fn spawn() {} }\nmod user;\n",
        "[features]\nrt = []\n",
        **{
            "src/macros.rs": 'macro_rules! cfg_rt {\n ($($item:item)*) => { $(\n#[cfg(feature = "rt")]\n'
            '#[cfg_attr(docsrs, doc(cfg(feature = "rt")))]\n$item )* }\n}\n',
            "src/runtime.rs": "pub mod deep;\n",
            "src/runtime/deep.rs": "pub fn f() {}\n",
            "src/user.rs": "pub fn g() {}\n",
        },
    )
    found = contexts(repository)
    assert members(repository, found["cargo:.@default"]) == ["src/lib.rs", "src/macros.rs", "src/user.rs"]
    assert reasons(repository, found["cargo:.@default"])["src/runtime/deep.rs"].endswith('feature = "rt"')
    assert members(repository, found["cargo:.@features=rt"]) == ["src/lib.rs", "src/runtime.rs", "src/runtime/deep.rs"]


def test_the_same_sources_give_the_same_builds(tmp_path: Path) -> None:
    source = "".join(
        f'#[cfg(feature = "f{n}")] fn f{n}() {{}}\n#[cfg(not(feature = "f{n}"))] fn g{n}() {{}}\n' for n in range(9)
    )
    features = "[features]\n" + "".join(f"f{n} = []\n" for n in range(9))
    repository = one(tmp_path, source, features)
    first = contexts(repository)
    assert list(first) == ["cargo:.@default", f"cargo:.@features={','.join(f'f{n}' for n in range(9))}"]
    assert [context.id for context in contexts(repository).values()] == [context.id for context in first.values()]


def test_only_what_a_further_build_changes_is_asked_again(tmp_path: Path) -> None:
    repository = one(
        tmp_path,
        "mod twins;\nmod user;\nmod other;\n",
        "[features]\nfast = []\n",
        **{
            "src/twins.rs": '#[cfg(feature = "fast")] pub fn pick() {}\n#[cfg(not(feature = "fast"))] pub fn pick() {}',
            "src/user.rs": "pub fn run() { crate::twins::pick() }\n",
            "src/other.rs": "pub fn alone() {}\n",
        },
    )
    found = contexts(repository)
    assert members(repository, found["cargo:.@default"]) == [
        "src/lib.rs",
        "src/other.rs",
        "src/twins.rs",
        "src/user.rs",
    ]
    fast = found["cargo:.@features=fast"]
    assert members(repository, fast) == ["src/twins.rs", "src/user.rs"]
    assert reasons(repository, fast)["src/other.rs"] == "nothing that this build changes is in it or named in it"


def test_a_file_is_a_member_where_its_module_is_compiled(tmp_path: Path) -> None:
    repository = one(
        tmp_path,
        "#[cfg(windows)]\nmod win;\n",
        "[[example]]\nname = \"e\"\nrequired-features = [\"x\"]\n[features]\nx = []\n",
        **{"src/win.rs": "mod deep;\n", "src/win/deep.rs": "fn f() {}\n", "examples/e.rs": "fn main() {}\n"},
    )  # fmt: skip
    found = contexts(repository)
    assert reasons(repository, found["cargo:.@default"]) == {
        "examples/e.rs": 'not compiled in this build: feature = "x"',
        "src/win.rs": "not compiled in this build: windows",
        "src/win/deep.rs": "not compiled in this build: windows",
    }
    assert list(found) == ["cargo:.@default", "cargo:.@features=x", "cargo:.@target=x86_64-pc-windows-msvc"]
    assert "examples/e.rs" in members(repository, found["cargo:.@features=x"])
    windows = members(repository, found["cargo:.@target=x86_64-pc-windows-msvc"])
    assert {"src/win.rs", "src/win/deep.rs"} <= set(windows)


def test_files_that_nothing_reaches(tmp_path: Path) -> None:
    repository = one(tmp_path, "", **{"src/stray.rs": "fn f() {}\n", "tests/data/bad.rs": "fn g() {}\n"})
    reason = "no crate reaches this file by its module declarations"
    left = reasons(repository, contexts(repository)["cargo:.@default"])
    assert left == {"src/stray.rs": reason, "tests/data/bad.rs": reason}


# -- workspaces -------------------------------------------------------------------------------------------------------


def test_members_globs_excludes_and_path_dependencies(tmp_path: Path) -> None:
    repository = Repository(
        tmp_path,
        {
            "Cargo.toml": '[workspace]\nmembers = ["crates/*"]\nexclude = ["crates/out"]\n',
            "crates/a/Cargo.toml": package("a", '[dependencies]\nc = { path = "../../extra/c" }\n'),
            "crates/a/src/lib.rs": "fn f() {}\n",
            "crates/out/Cargo.toml": package("out"),
            "crates/out/src/lib.rs": "fn f() {}\n",
            "extra/c/Cargo.toml": package("c"),
            "extra/c/src/lib.rs": "fn f() {}\n",
            "extra/lost/Cargo.toml": package("lost"),
            "extra/lost/src/lib.rs": "fn f() {}\n",
            "tools/own/Cargo.toml": "[workspace]\n" + package("own"),
            "tools/own/src/main.rs": "fn main() {}\n",
            "script.rs": "fn main() {}\n",
        },
    )
    found = contexts(repository)
    assert list(found) == ["cargo:.@default", "cargo:crates/out@default", "cargo:tools/own@default"]
    assert members(repository, found["cargo:.@default"]) == ["crates/a/src/lib.rs", "extra/c/src/lib.rs"]
    left = reasons(repository, found["cargo:.@default"])
    assert "neither lists nor excludes it" in left["extra/lost/src/lib.rs"]
    assert left["script.rs"] == "no Cargo.toml describes this file"
    assert found["cargo:.@default"].workspace_names == {"a", "c", "lost", "out", "own"} - {"lost"}


def test_features_of_several_members_are_named_with_their_package(tmp_path: Path) -> None:
    files = {"Cargo.toml": '[workspace]\nmembers = ["a", "b"]\n'}
    for name in ("a", "b"):
        files[f"{name}/Cargo.toml"] = package(f"the-{name}", "[features]\nfast = []\n")
        files[f"{name}/src/lib.rs"] = '#[cfg(feature = "fast")] fn f() {}\n'
    (_, fast) = contexts(Repository(tmp_path, files)).values()
    assert fast.settings["cargo"]["features"] == ["the-a/fast", "the-b/fast"]
    assert fast.name == "cargo:.@features=the-a/fast,the-b/fast"


def workspace(**manifests: str) -> Workspace:
    files = [Manifest("Cargo.toml", b'[workspace]\nmembers = ["*"]\n')]
    files += [Manifest(f"{folder}/Cargo.toml", text.encode()) for folder, text in manifests.items()]
    (found,) = layout(files).workspaces
    return found


def test_features_switch_each_other_on() -> None:
    found = workspace(
        a=package(
            "a",
            '[dependencies]\nb = { path = "../b", default-features = false, features = ["always"] }\n'
            'c = { path = "../c", optional = true }\n'
            '[features]\ndefault = ["x"]\nx = ["y", "b/deep"]\ny = []\nall = ["dep:c", "c?/weak"]\n',
        ),
        b=package("b", "[features]\nalways = []\ndeep = []\n"),
        c=package("c", "[features]\nweak = []\n"),
    )
    assert active_features(found, [], True) == {"a": {"default", "x", "y"}, "b": {"always", "deep"}, "c": set()}
    assert active_features(found, [], False) == {"a": set(), "b": {"always"}, "c": set()}
    assert active_features(found, [("a", "y")], False)["a"] == {"y"}
    assert active_features(found, [("a", "all")], False)["c"] == {"weak"}


def test_an_optional_dependency_is_a_feature_unless_dep_names_it() -> None:
    found = workspace(
        a=package("a", '[dependencies]\nserde = { version = "1", optional = true }\n'),
        b=package("b", '[dependencies]\nserde = { version = "1", optional = true }\n[features]\ns = ["dep:serde"]\n'),
    )
    assert [set(member.features) for member in found.members] == [{"serde"}, {"s"}]


def test_circular_features_end() -> None:
    found = workspace(a=package("a", '[features]\nx = ["y"]\ny = ["x", "a/x", "dep:none"]\n'))
    assert active_features(found, [("a", "x")], True) == {"a": {"x", "y"}}


# -- conditions -------------------------------------------------------------------------------------------------------


def test_what_stands_around_an_attribute() -> None:
    source = b"""#![cfg(one)]
#[cfg(two)]
/// Text.
#[inline]
mod m {
    #![cfg(three)]
    #[cfg_attr(unix, cfg(no))]
    fn f() { #[cfg( all( four , five ) )] { g() } }
}
"""
    assert conditions_of_attributes(source) == {
        ("one",),
        ("one", "two"),
        ("one", "three", "two"),
        ("all( four , five )", "one", "three", "two"),
    }


@pytest.mark.parametrize("source", [b"#[cfg(", b"#[cfg]\nfn f() {}", b"#![cfg(a)", b"\xff#[cfg(a)] fn f() {}"])
def test_broken_sources_are_read_as_far_as_they_go(source: bytes) -> None:
    assert conditions_of_attributes(source) <= {(), ("a",)}


@pytest.mark.parametrize(
    ("predicate", "expected"),
    [
        ("unix", True), ("windows", False), ('target_os = "linux"', True), ('target_pointer_width = "64"', True),
        ('feature = "f"', True), ('feature = "g"', False), ("all()", True), ("any()", False), ("true", True),
        ("not(any(windows, loom))", True), ("test", True), ("debug_assertions", True),
    ],
)  # fmt: skip
def test_when_a_condition_holds(predicate: str, expected: bool) -> None:
    build = Build("x86_64-unknown-linux-gnu")
    assert holds(Condition("a", (predicate,)), build, {"a": frozenset({"f"})}) is expected


def test_every_target_says_what_it_is() -> None:
    for name, cfgs in targets().items():
        keys = [cfg.partition("=")[0] for cfg in cfgs]
        assert keys.count("target_os") == keys.count("target_arch") == keys.count("target_pointer_width") == 1, name
        assert ("windows" in cfgs) == ('target_family="windows"' in cfgs)


# -- trust ------------------------------------------------------------------------------------------------------------


def test_nothing_is_run_without_trust(tmp_path: Path) -> None:
    repository = one(tmp_path, "fn f() {}\n", **{"build.rs": "fn main() {}\n"})
    careful = contexts(repository)["cargo:.@default"]
    assert "buildScripts" not in careful.settings["cargo"]
    assert "procMacro" not in careful.settings
    trusting = contexts(repository, trust=True)["cargo:.@default"]
    assert trusting.settings["cargo"]["buildScripts"] == {"enable": True}
    assert trusting.settings["procMacro"] == {"enable": True}
    assert careful.id != trusting.id
    assert members(repository, careful) == ["build.rs", "src/lib.rs"]


@pytest.mark.parametrize(
    "configuration",
    ['[env]\nLD_PRELOAD = "./evil.so"\n', '[env.RUSTUP_TOOLCHAIN]\nvalue = "./x"\n', 'include = "other.toml"\n', "[["],
)
def test_a_configuration_that_makes_cargo_run_something(tmp_path: Path, configuration: str) -> None:
    repository = one(tmp_path, "fn f() {}\n")
    write_files(repository.root, {".cargo/config.toml": configuration})
    careful = contexts(repository)["cargo:.@default"]
    assert careful.files == ()
    assert reasons(repository, careful)["src/lib.rs"].startswith(".cargo/config.toml")
    assert members(repository, contexts(repository, trust=True)["cargo:.@default"]) == ["src/lib.rs"]


@pytest.mark.parametrize("path", ["rust-analyzer.toml", "tool/rust-analyzer.toml"])
def test_settings_of_the_server_in_the_repository(tmp_path: Path, path: str) -> None:
    files = {"tool/Cargo.toml": package("tool"), "tool/src/lib.rs": "", path: "rustfmt.overrideCommand = ['./evil']\n"}
    repository = one(tmp_path, "fn f() {}\n", **files)
    found = contexts(repository)
    assert [context.files for context in found.values()] == [(), ()]
    assert path in reasons(repository, found["cargo:.@default"])["src/lib.rs"]
    assert members(repository, contexts(repository, trust=True)["cargo:.@default"]) == ["src/lib.rs"]


def test_a_harmless_configuration_changes_nothing(tmp_path: Path) -> None:
    repository = one(tmp_path, "fn f() {}\n")
    text = '[env]\nWORKSPACE_DIR = { value = "", relative = true }\n[build]\nrustc-wrapper = "./wrapper"\n'
    write_files(repository.root, {".cargo/config.toml": text})
    assert members(repository, contexts(repository)["cargo:.@default"]) == ["src/lib.rs"]


# -- outside ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "package"),
    [
        (
            "/h/.cargo/registry/src/somewhere-1949cf8c6b5b557f/serde_json-1.0.140/src/de.rs",
            ("serde_json", "1.0.140"),
        ),
        ("/h/.cargo/registry/src/x/wasi-0.11.0+wasi-snapshot/src/lib.rs", ("wasi", "0.11.0+wasi-snapshot")),
        ("/h/.cargo/git/checkouts/tokio-25e4e5f4c6e4a3b2/1234567/tokio/src/lib.rs", ("tokio", "1234567")),
        ("/t/lib/rustlib/src/rust/library/core/src/option.rs", ("core", "")),
        ("/s/usr/src/rustc-1.97.1/library/alloc/src/string.rs", ("alloc", "")),
        ("/s/usr/src/rustc-1.97.1/library/vendor/hashbrown-0.15.2/src/map.rs", ("hashbrown", "0.15.2")),
        ("/r/vendor/libc/src/lib.rs", ("libc", "")),
        ("/elsewhere/thing/src/lib.rs", ("thing", "")),
    ],
)
def test_packages_outside(path: str, package: tuple[str, str]) -> None:
    assert external_package(path, "name") == (*package, "name")
