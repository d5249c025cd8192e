import java.lang.module.ModuleFinder;
import java.lang.reflect.*;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;

/**
 * Writes jdk.txt: the public types of the JDK, and the signatures of those packages that code uses most, read by
 * reflection from the JDK that runs it. The format is described in ../jdk.py. Run it as
 * {@code java Signatures.java > jdk.txt} whenever a newer JDK is to be known.
 */
public class Signatures {
    private static final Pattern WHOLE = new Pattern(
            "java.beans", "java.io", "java.lang", "java.lang.annotation", "java.lang.constant", "java.lang.instrument",
            "java.lang.invoke", "java.lang.management", "java.lang.module", "java.lang.ref", "java.lang.reflect",
            "java.math", "java.net", "java.net.http", "java.nio", "java.nio.channels", "java.nio.charset",
            "java.nio.file", "java.nio.file.attribute", "java.security", "java.security.cert", "java.sql", "java.text",
            "java.time", "java.time.chrono", "java.time.format", "java.time.temporal", "java.time.zone", "java.util",
            "java.util.concurrent", "java.util.concurrent.atomic", "java.util.concurrent.locks", "java.util.function",
            "java.util.jar", "java.util.logging", "java.util.regex", "java.util.stream", "java.util.zip",
            "javax.annotation.processing", "javax.crypto", "javax.lang.model", "javax.lang.model.element",
            "javax.lang.model.type", "javax.lang.model.util", "javax.management", "javax.naming", "javax.net.ssl",
            "javax.sql", "javax.tools", "javax.xml.namespace", "javax.xml.parsers", "javax.xml.stream",
            "javax.xml.stream.events", "javax.xml.transform", "javax.xml.xpath", "org.w3c.dom", "org.xml.sax",
            "org.xml.sax.helpers");

    private record Pattern(Set<String> packages) {
        Pattern(String... packages) {
            this(Set.of(packages));
        }
    }

    public static void main(String[] arguments) throws Exception {
        var out = new StringBuilder();
        var files = FileSystems.getFileSystem(URI.create("jrt:/"));
        var modules = ModuleFinder.ofSystem().findAll().stream().map(reference -> reference.descriptor())
                .filter(module -> module.name().startsWith("java."))
                .sorted(Comparator.comparing(module -> module.name())).toList();
        for (var module : modules) {
            out.append("module ").append(module.name()).append('\n');
            var packages = module.exports().stream().filter(exported -> !exported.isQualified())
                    .map(exported -> exported.source()).sorted().toList();
            for (var name : packages) {
                var folder = files.getPath("modules", module.name(), name.replace('.', '/'));
                var types = new TreeMap<String, Class<?>>();
                try (var entries = Files.newDirectoryStream(folder, "*.class")) {
                    for (var entry : entries) {
                        add(types, name + "." + entry.getFileName().toString().replace(".class", ""));
                    }
                }
                if (!types.isEmpty()) {
                    out.append("package ").append(name).append('\n');
                    types.forEach((key, type) -> type(out, type, WHOLE.packages().contains(name)));
                }
            }
        }
        System.out.write(out.toString().getBytes(StandardCharsets.UTF_8));
        System.out.flush();
    }

    private static void add(Map<String, Class<?>> types, String name) {
        try {
            var type = Class.forName(name, false, ClassLoader.getPlatformClassLoader());
            for (var outer = type; outer != null; outer = outer.getDeclaringClass()) {
                if ((outer.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) == 0) {
                    return;
                }
            }
            if (!type.isAnonymousClass() && !type.isLocalClass() && type.getCanonicalName() != null) {
                types.put(type.getCanonicalName(), type);
            }
        } catch (ClassNotFoundException | LinkageError notThere) {
            System.err.println("left out: " + name + ": " + notThere);
        }
    }

    private static void type(StringBuilder out, Class<?> type, boolean whole) {
        var kind = type.isAnnotation() ? '@' : type.isInterface() ? 'I' : type.isEnum() ? 'E'
                : Modifier.isAbstract(type.getModifiers()) ? 'A' : Modifier.isFinal(type.getModifiers()) ? 'F' : 'C';
        out.append(kind).append(' ').append(type.getCanonicalName().substring(type.getPackageName().length() + 1));
        out.append(parameters(type.getTypeParameters()));
        var named = supers(type).stream().map(Signatures::text).toList();
        out.append(named.isEmpty() ? "" : " : " + String.join(" & ", named)).append('\n');
        if (!whole) {
            return;
        }
        var lines = new TreeSet<String>();
        for (var field : type.getDeclaredFields()) {
            if (open(field)) {
                lines.add("\t" + field.getName() + " = " + text(field.getGenericType()));
            }
        }
        for (var method : methods(type)) {
            if (open(method) && !method.isBridge()) {
                var flags = Modifier.isStatic(method.getModifiers()) ? "s" : Modifier.isAbstract(method.getModifiers()) ? "a" : "";
                lines.add("\t" + method.getName() + " " + flags + signature(method) + text(method.getGenericReturnType()));
            }
        }
        for (var constructor : type.getDeclaredConstructors()) {
            if (open(constructor) && !type.isEnum()) {
                lines.add("\tnew " + signature(constructor));
            }
        }
        lines.forEach(line -> out.append(line).append('\n'));
    }

    /** The public supertypes; one that is not public is replaced by its own. */
    private static List<Type> supers(Class<?> type) {
        var all = new ArrayList<Type>();
        if (type.getGenericSuperclass() != null && type.getGenericSuperclass() != Object.class) {
            all.add(type.getGenericSuperclass());
        }
        all.addAll(List.of(type.getGenericInterfaces()));
        var result = new ArrayList<Type>();
        for (var one : all) {
            if (visible(one)) {
                result.add(one);
            } else {
                supers((Class<?>) (one instanceof ParameterizedType generic ? generic.getRawType() : one)).stream()
                        .filter(inner -> !result.contains(inner)).forEach(result::add);
            }
        }
        return result;
    }

    /** The methods of a type, with those of a superclass that is not public. */
    private static List<Method> methods(Class<?> type) {
        var result = new ArrayList<>(List.of(type.getDeclaredMethods()));
        var above = type.getSuperclass();
        if (above != null && !Modifier.isPublic(above.getModifiers())) {
            for (var method : methods(above)) {
                var parameters = Arrays.asList(method.getParameterTypes());
                if (result.stream().noneMatch(own -> !own.isBridge() && own.getName().equals(method.getName())
                        && Arrays.asList(own.getParameterTypes()).equals(parameters))) {
                    result.add(method);
                }
            }
        }
        return result;
    }

    private static boolean open(Member member) {
        return (member.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0 && !member.isSynthetic();
    }

    private static boolean visible(Type type) {
        var raw = (Class<?>) (type instanceof ParameterizedType generic ? generic.getRawType() : type);
        return Modifier.isPublic(raw.getModifiers());
    }

    private static String signature(Executable executable) {
        var types = Arrays.stream(executable.getGenericParameterTypes()).map(Signatures::text).collect(Collectors.toList());
        if (executable.isVarArgs()) {
            var last = types.remove(types.size() - 1);
            types.add(last.substring(0, last.length() - 2) + "...");
        }
        return parameters(executable.getTypeParameters()) + "(" + String.join(",", types) + ")";
    }

    private static String parameters(TypeVariable<?>[] variables) {
        return variables.length == 0 ? "" : Arrays.stream(variables).map(variable -> {
            var bounds = Arrays.stream(variable.getBounds()).filter(bound -> bound != Object.class).map(Signatures::text);
            var joined = bounds.collect(Collectors.joining("&"));
            return variable.getName() + (joined.isEmpty() ? "" : ":" + joined);
        }).collect(Collectors.joining(",", "<", ">"));
    }

    private static String text(Type type) {
        if (type instanceof ParameterizedType generic) {
            return text(generic.getRawType()) + Arrays.stream(generic.getActualTypeArguments()).map(Signatures::text)
                    .collect(Collectors.joining(",", "<", ">"));
        }
        if (type instanceof GenericArrayType array) {
            return text(array.getGenericComponentType()) + "[]";
        }
        if (type instanceof WildcardType wildcard) {
            var lower = wildcard.getLowerBounds();
            var upper = wildcard.getUpperBounds();
            return lower.length > 0 ? "-" + text(lower[0]) : upper[0] == Object.class ? "?" : "+" + text(upper[0]);
        }
        if (type instanceof Class<?> raw) {
            if (raw.isArray()) {
                return text(raw.getComponentType()) + "[]";
            }
            var name = raw.getCanonicalName();
            return raw.getPackageName().equals("java.lang") && !raw.isPrimitive() ? name.substring(10) : name;
        }
        return type.getTypeName();
    }
}
