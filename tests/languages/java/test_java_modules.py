"""Source roots and modules: Maven and Gradle descriptions, test sources, one full name in several modules."""

from graph.languages.java.builds import modules
from graph.link.world import Manifest
from tests.harness.linking import Linked
from tests.languages.java.java_repository import answer, check, link

ROOT = """
-- pom.xml --
<project xmlns="http://maven.apache.org/POM/4.0.0"><groupId>g</groupId><artifactId>root</artifactId><version>1</version>
<properties><base.id>base</base.id></properties></project>
"""


def pom(name: str, dependencies: str = "") -> str:
    return f"""-- {name}/pom.xml --
<project><parent><groupId>g</groupId><artifactId>root</artifactId><version>1</version></parent>
<artifactId>{name}</artifactId><dependencies>{dependencies}</dependencies></project>
"""


def dependency(artifact: str, scope: str = "") -> str:
    inner = f"<scope>{scope}</scope>" if scope else ""
    return f"<dependency><groupId>${{project.groupId}}</groupId><artifactId>{artifact}</artifactId>{inner}</dependency>"


def tool(path: str, label: str) -> str:
    return f"-- {path} --\npackage p;\npublic class Tool {{ public static void go() {{}} }} // @def go as {label}\n"


def use(path: str, expected: str) -> str:
    return f"-- {path} --\npackage q;\nclass Use {{ void m() {{ p.Tool.go(); }} }} // @ref go -> {expected}\n"


def test_a_dependency_is_seen_and_another_module_of_the_same_name_is_not() -> None:
    check(
        ROOT
        + pom("base") + tool("base/src/main/java/p/Tool.java", "BASE")
        + pom("other") + tool("other/src/main/java/p/Tool.java", "OTHER")
        + pom("middle", dependency("${base.id}"))
        + pom("top", dependency("middle"))
        + use("top/src/main/java/q/Use.java", "BASE")
    )  # fmt: skip


def test_the_own_module_comes_before_its_dependencies() -> None:
    check(
        ROOT
        + pom("base") + tool("base/src/main/java/p/Tool.java", "BASE")
        + pom("top", dependency("base")) + tool("top/src/main/java/p/Tool.java", "TOP")
        + use("top/src/main/java/q/Use.java", "TOP")
    )  # fmt: skip


def test_two_modules_that_are_no_dependencies_leave_candidates() -> None:
    linked = link(
        ROOT
        + pom("one") + tool("one/src/main/java/p/Tool.java", "ONE")
        + pom("two") + tool("two/src/main/java/p/Tool.java", "TWO")
        + pom("top") + use("top/src/main/java/q/Use.java", "ONE")
    )  # fmt: skip
    found = answer(linked, "Tool")
    assert found.status == "ambiguous"
    assert [target.split("/")[0] for target in found.targets] == ["one", "two"]
    assert answer(linked, "go").status == "ambiguous"


def test_the_only_type_of_its_full_name_is_meant_by_a_weaker_rule() -> None:
    linked = check(
        ROOT
        + pom("one") + tool("one/src/main/java/p/Tool.java", "ONE")
        + pom("top") + "-- top/src/main/java/q/Use.java --\npackage q;\nimport p.Tool;\n"
        + "class Use { void m() { Tool.go(); } } // @ref go -> ONE\n"
    )  # fmt: skip
    assert linked.at("top/src/main/java/q/Use.java", 3, "Tool").rule == "unique-qualified-name"


def test_test_scope_is_for_tests_only() -> None:
    linked = link(
        ROOT
        + pom("base") + tool("base/src/main/java/p/Tool.java", "BASE")
        + pom("other") + tool("other/src/main/java/p/Tool.java", "OTHER")
        + pom("top", dependency("base", "test") + dependency("other"))
        + use("top/src/main/java/q/Use.java", "OTHER")
        + pom("next", dependency("base", "test"))
        + use("next/src/test/java/q/Use.java", "BASE")
    )  # fmt: skip
    assert linked.at("top/src/main/java/q/Use.java", 2, "go").targets[0].startswith("other/")
    assert linked.at("next/src/test/java/q/Use.java", 2, "go").targets[0].startswith("base/")


def test_main_does_not_see_tests_and_tests_see_main() -> None:
    linked = check(
        ROOT
        + pom("top")
        + tool("top/src/main/java/p/Tool.java", "MAIN")
        + """
-- top/src/test/java/p/Fixture.java --
package p;
class Fixture { static void make() {} } // @def make as FIXTURE
-- top/src/test/java/p/ToolTest.java --
package p;
class ToolTest {
    void a() { Tool.go(); } // @ref go -> MAIN
    void b() { Fixture.make(); } // @ref make -> FIXTURE
}
-- top/src/main/java/p/Wrong.java --
package p;
class Wrong { void a() { Fixture.make(); } }
"""
    )
    assert linked.at("top/src/main/java/p/Wrong.java", 2, "make").status == "unresolved"


def test_gradle_project_dependencies() -> None:
    check(
        """
-- settings.gradle.kts --
include(":libs:base", ":libs:other")
include("app")
project(":libs:other").projectDir = file("elsewhere/other")
-- libs/base/build.gradle --
plugins { id 'java' }
-- elsewhere/other/build.gradle --
plugins { id 'java' }
-- app/build.gradle.kts --
dependencies {
    // implementation(project(":libs:base"))
    implementation(project(":libs:other"))
    testImplementation project(path: ':libs:base')
}
"""
        + tool("libs/base/src/main/java/p/Tool.java", "BASE")
        + tool("elsewhere/other/src/main/java/p/Tool.java", "OTHER")
        + use("app/src/main/java/q/Use.java", "OTHER")
    )


def test_without_a_build_description_all_files_see_each_other() -> None:
    linked: Linked = check(tool("src/p/Tool.java", "TOOL") + use("test/q/Use.java", "TOOL"))
    assert linked.at("test/q/Use.java", 2, "go").rule == "qualified"


def test_secondary_types_are_found_in_the_files_of_their_package() -> None:
    check("""
-- p/Main.java --
package p;
class Main {}
class Helper { static void help() {} } // @def help as HELP
-- p/Use.java --
package p;
class Use { void m() { Helper.help(); } } // @ref help -> HELP
""")


def test_manifests_that_cannot_be_read_are_no_modules() -> None:
    entity = b'<!DOCTYPE p [<!ENTITY a "aaaa">]><project><artifactId>&a;</artifactId></project>'
    found = modules([
        Manifest("a/pom.xml", b"<project"), Manifest("b/pom.xml", entity), Manifest("c/pom.xml", b"\xff\xfe\x00"),
        Manifest("d/pom.xml", b"<project><artifactId>d</artifactId></project>"),
    ])  # fmt: skip
    assert [module.root for module in found] == ["d"]


def test_parents_in_a_circle_and_properties_in_a_circle_end() -> None:
    first = b"<project><parent><groupId>g</groupId><artifactId>b</artifactId><relativePath>../b</relativePath></parent>"
    first += b"<artifactId>a</artifactId><properties><x>${y}</x><y>${x}</y></properties><dependencies><dependency>"
    first += b"<groupId>g</groupId><artifactId>${x}</artifactId></dependency></dependencies></project>"
    second = first.replace(b"<artifactId>b<", b"<artifactId>?<").replace(b"<artifactId>a<", b"<artifactId>b<")
    second = second.replace(b"<artifactId>?<", b"<artifactId>a<").replace(b"../b", b"../a")
    found = modules([Manifest("a/pom.xml", first), Manifest("b/pom.xml", second)])
    assert [(module.root, module.dependencies) for module in found] == [("a", []), ("b", [])]
