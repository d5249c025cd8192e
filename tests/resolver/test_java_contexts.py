"""Compilation contexts of Java, found from build descriptions, folders and packages alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from resolver.contexts import Context, ContextOptions, contexts_of
from tests.harness.indexing import Repository

POM = "<project><modelVersion>4.0.0</modelVersion>{}</project>"
PARENT = "<parent><groupId>g</groupId><artifactId>root</artifactId><version>1</version></parent>"


def pom(artifact: str, more: str = "") -> str:
    return POM.format(f"<groupId>g</groupId><artifactId>{artifact}</artifactId><version>1</version>{more}")


def module(artifact: str, more: str = "") -> str:
    return POM.format(f"{PARENT}<artifactId>{artifact}</artifactId>{more}")


def dependency(artifact: str, scope: str = "compile") -> str:
    return (
        f"<dependencies><dependency><groupId>g</groupId><artifactId>{artifact}</artifactId><version>1</version>"
        f"<scope>{scope}</scope></dependency></dependencies>"
    )


def java(package: str, *names: str) -> str:
    return (f"package {package};\n" if package else "") + "".join(f"class {name} {{}}\n" for name in names)


class Found:
    """The Java contexts of a repository by root."""

    def __init__(self, tmp_path: Path, files: dict[str, str | bytes]) -> None:
        self.repository = Repository(tmp_path, files)
        self.repository.index()
        with self.repository.read() as state:
            found = contexts_of(state.connection, self.repository.root, ContextOptions())
            self.contexts = {one.root: one for one in found if one.ecosystem == "java"}
            self._paths = {
                number: state.file(number).path
                for one in self.contexts.values()
                for number in (*one.files, *one.excluded)
            }

    def members(self, root: str = ".") -> list[str]:
        return sorted(self._paths[number] for number in self.contexts[root].files)

    def excluded(self, root: str = ".") -> dict[str, str]:
        return {self._paths[number]: why for number, why in self.contexts[root].excluded.items()}

    def projects(self, root: str = ".") -> list[dict[str, Any]]:
        return projects(self.contexts[root])

    def shape(self, root: str = ".") -> list[tuple[str, list[str], list[str]]]:
        """(source set, source roots, roots that it sees) of each project."""
        rows = self.projects(root)
        roots = {row["name"]: [one["path"] for one in row["roots"]] for row in rows}
        return [
            (row["sources"], roots[row["name"]], [place for other in row["depends"] for place in roots[other]])
            for row in rows
        ]


def projects(context: Context) -> list[dict[str, Any]]:
    return list(context.settings["projects"])


def test_a_tree_of_maven_modules_is_one_context(tmp_path: Path) -> None:
    found = Found(
        tmp_path,
        {
            "pom.xml": pom("root", "<packaging>pom</packaging><modules><module>one</module></modules>"),
            "one/pom.xml": module("one"),
            "one/src/main/java/a/A.java": java("a", "A"),
            "one/src/test/java/a/ATest.java": java("a", "ATest"),
            "two/pom.xml": module("two", dependency("one")),
            "two/src/main/java/b/B.java": java("b", "B"),
            "two/src/test/java/b/BTest.java": java("b", "BTest"),
        },
    )
    (context,) = found.contexts.values()
    assert (context.name, context.server) == ("java:.", "jdtls")
    assert context.workspace_names == {"g:root", "g:one", "g:two"}
    one, two = "one/src/main/java", "two/src/main/java"
    assert found.shape() == [
        ("main", [one], []),
        ("test", ["one/src/test/java"], [one]),
        ("main", [two], [one]),
        # Tests do not see the tests of another module.
        ("test", ["two/src/test/java"], [two, one]),
    ]
    assert [row["pom"] for row in found.projects()] == ["one/pom.xml", "one/pom.xml", "two/pom.xml", "two/pom.xml"]
    assert found.excluded() == {}
    assert context.settings["notes"] == []


def test_a_dependency_of_tests_is_seen_by_tests_alone(tmp_path: Path) -> None:
    found = Found(
        tmp_path,
        {
            "pom.xml": pom("root"),
            "helper/pom.xml": module("helper"),
            "helper/src/main/java/h/H.java": java("h", "H"),
            "use/pom.xml": module("use", dependency("helper", "test")),
            "use/src/main/java/u/U.java": java("u", "U"),
            "use/src/test/java/u/UTest.java": java("u", "UTest"),
        },
    )
    assert found.shape() == [
        ("main", ["helper/src/main/java"], []),
        ("main", ["use/src/main/java"], []),
        ("test", ["use/src/test/java"], ["use/src/main/java", "helper/src/main/java"]),
    ]


def test_source_folders_that_a_pom_names(tmp_path: Path) -> None:
    helper = (
        "<plugin><artifactId>build-helper-maven-plugin</artifactId><executions><execution><goals><goal>add-source</goal>"
        "</goals><configuration><sources><source>${project.basedir}/more</source></sources></configuration></execution>"
        "</executions></plugin>"
    )
    build = f"<build><sourceDirectory>${{code}}</sourceDirectory><plugins>{helper}</plugins></build>"
    found = Found(
        tmp_path,
        {
            "pom.xml": pom("root", f"<properties><code>src</code></properties>{build}"),
            "src/a/A.java": java("a", "A"),
            "more/a/More.java": java("a", "More"),
            "src/test/java/a/T.java": java("a", "T"),
            "inside/pom.xml": module("inside"),
            "inside/src/b/B.java": java("b", "B"),
            "scripts/Tool.java": java("", "Tool"),
        },
    )
    assert found.shape() == [
        ("main", ["more", "src"], []),
        ("test", ["src/test/java"], ["more", "src"]),
        ("main", ["inside/src"], []),
    ]
    # A source folder inside another one is no package of it.
    source = found.projects()[0]["roots"][1]
    assert (source["path"], source["exclude"]) == ("src", ["test/java/"])
    assert found.excluded() == {"scripts/Tool.java": "in no source folder of the Maven module ."}


def test_files_that_are_no_members_say_why(tmp_path: Path) -> None:
    found = Found(
        tmp_path,
        {
            "pom.xml": pom("root"),
            "src/main/java/module-info.java": "module m {}\n",
            "src/main/java/a/A.java": java("a", "A"),
            "src/main/java/a/Elsewhere.java": java("b", "Elsewhere"),
            "src/main/java/a/Wide.java": b"\xff\xfe" + java("a", "Wide").encode("utf-16-le"),
        },
    )
    assert found.members() == ["src/main/java/a/A.java"]
    assert found.excluded() == {
        "src/main/java/module-info.java": "a module declaration: the server sees all libraries as one class path",
        "src/main/java/a/Elsewhere.java": "its package b does not match its folder",
        "src/main/java/a/Wide.java": "the server reads UTF-8, this is utf-16-le",
    }


def test_gradle_projects_by_settings_and_the_usual_layout(tmp_path: Path) -> None:
    found = Found(
        tmp_path,
        {
            "settings.gradle": "include 'core', 'app'\n",
            "build.gradle": "java { toolchain { languageVersion = JavaLanguageVersion.of(17) } }\n",
            "core/build.gradle": "sourceCompatibility = '11'\n",
            "core/src/main/java/c/C.java": java("c", "C"),
            "core/src/testFixtures/java/c/Fixture.java": java("c", "Fixture"),
            "app/build.gradle": "dependencies { implementation project(':core') }\n",
            "app/src/main/java/a/A.java": java("a", "A"),
            "app/src/integrationTest/java/a/IT.java": java("a", "IT"),
            "app/libs/thing.jar": b"PK",
        },
    )
    core, fixtures, app = "core/src/main/java", "core/src/testFixtures/java", "app/src/main/java"
    assert found.shape() == [
        ("integrationTest", ["app/src/integrationTest/java"], [app, core, fixtures]),
        ("main", [app], [core]),
        ("main", [core], []),
        ("testFixtures", [fixtures], [core]),
    ]
    rows = {row["roots"][0]["path"]: row for row in found.projects()}
    assert [rows[root]["level"] for root in (core, app)] == ["11", "17"]
    assert rows[app]["libraries"] == ["app/libs/thing.jar"]
    assert "Gradle's build scripts are not run" in found.contexts["."].settings["notes"][0]


def test_a_plain_tree_has_roots_by_its_packages(tmp_path: Path) -> None:
    found = Found(
        tmp_path,
        {
            "src/app/A.java": java("app", "A", "Other"),
            "tests/app/ATest.java": java("app", "ATest"),
            "Loose.java": java("", "Loose"),
        },
    )
    (context,) = found.contexts.values()
    assert context.name == "java:."
    assert found.shape() == [
        ("main", ["."], ["src", "tests"]),
        ("main", ["src"], [".", "tests"]),
        ("test", ["tests"], [".", "src"]),
    ]
    roots = [row["roots"][0] for row in found.projects()]
    assert [root["entries"] for root in roots] == [["Loose.java"], ["app"], ["app"]]
    assert [root["others"] for root in roots] == [{}, {"app/A.java": ["Other"]}, {}]


def test_builds_beside_each_other_are_contexts_of_their_own_unless_they_depend_on_each_other(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "a/pom.xml": pom("a"),
        "a/src/main/java/a/A.java": java("a", "A"),
        "b/pom.xml": pom("b"),
        "b/src/main/java/b/B.java": java("b", "B"),
        "c/C.java": java("c", "C"),
    }
    apart = Found(tmp_path / "apart", files)
    assert {root: apart.members(root) for root in apart.contexts} == {
        ".": ["c/C.java"], "a": ["a/src/main/java/a/A.java"], "b": ["b/src/main/java/b/B.java"],
    }  # fmt: skip
    assert apart.projects("a")[0]["roots"][0]["path"] == "src/main/java"
    assert apart.projects("a")[0]["pom"] == "pom.xml"
    joined = Found(tmp_path / "joined", {**files, "b/pom.xml": pom("b", dependency("a"))})
    assert list(joined.contexts) == ["."]
    assert ("main", ["b/src/main/java"], ["a/src/main/java"]) in joined.shape()


def test_equal_inputs_are_one_context_and_another_dependency_is_another(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "pom.xml": pom("root"),
        "one/pom.xml": module("one"),
        "one/src/main/java/a/A.java": java("a", "A"),
        "two/pom.xml": module("two"),
        "two/src/main/java/b/B.java": java("b", "B"),
    }
    first = Found(tmp_path / "first", files).contexts["."]
    again = Found(tmp_path / "again", files).contexts["."]
    other = Found(tmp_path / "other", {**files, "two/pom.xml": module("two", dependency("one"))}).contexts["."]
    assert first.id == again.id != other.id
