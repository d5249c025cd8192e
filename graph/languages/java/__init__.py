"""Java: classes, packages and modules as the Java Language Specification has them."""

from graph.languages.base import Language
from graph.languages.java.adapter import extract
from graph.languages.java.linking import JavaLinker

LANGUAGES: tuple[Language, ...] = (
    Language(
        name="java",
        family="java",
        grammars={".java": "java"},
        extract=extract,
        linker=JavaLinker,
        version="1",
        manifests=("pom.xml", "build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"),
        test_paths=("**/src/test/**", "**/src/*Test/**", "**/src/testFixtures/**"),
        vendored_folders=(),
        generated_paths=("**/target/generated-sources/**", "**/build/generated/**", "**/generated-sources/**"),
    ),
)
