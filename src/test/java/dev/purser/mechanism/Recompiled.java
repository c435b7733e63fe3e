package dev.purser.mechanism;

import dev.purser.privacy.AuditOutcome;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * A second copy of some packages, with some classes recompiled from given sources. It is loaded beside the classes that
 * the tests use, so a defect here affects nothing else. Nothing is written to the disk.
 */
public final class Recompiled extends ClassLoader {
    /** The mechanisms, their randomizers, noise, vocabulary and audits. */
    private static final List<String> MECHANISMS =
            List.of("dev.purser.mechanism.", "dev.purser.local.", "dev.purser.noise.", "dev.purser.privacy.");

    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

    /** One manager for all copies, because it remembers what is in the jars of the class path. */
    private static final JavaFileManager FILES = COMPILER.getStandardFileManager(null, null, null);

    private final List<String> loadedAgain;
    private final Map<String, byte[]> compiled;

    private Recompiled(List<String> loadedAgain, Map<String, byte[]> compiled) {
        super(Recompiled.class.getClassLoader());
        this.loadedAgain = loadedAgain;
        this.compiled = compiled;
    }

    /** The mechanisms, and all that their audits need. */
    static Recompiled with(Map<Class<?>, String> sources) {
        return with(sources, MECHANISMS);
    }

    /** @param loadedAgain the beginnings of the names of the classes that are in the copy */
    public static Recompiled with(Map<Class<?>, String> sources, List<String> loadedAgain) {
        return new Recompiled(loadedAgain, compile(sources));
    }

    /** Runs an audit of {@link AuditCases} in the copy. */
    AuditOutcome run(String audit, int draws, long seed) throws ReflectiveOperationException {
        return outcome("run", audit, draws, seed);
    }

    /** Runs an audit in the copy until the audit refutes the mechanism. */
    AuditOutcome runUntilRefuted(String audit, int draws, long seed) throws ReflectiveOperationException {
        return outcome("runUntilRefuted", audit, draws, seed);
    }

    private AuditOutcome outcome(String method, String audit, int draws, long seed)
            throws ReflectiveOperationException {
        long[] seen = (long[]) call(method, new Class<?>[] {String.class, int.class, long.class}, audit, draws, seed);
        return new AuditOutcome(seen[0], seen[1], Math.toIntExact(seen[2]));
    }

    /** The epsilon that the mechanism in the copy claims for one release. */
    double claimedEpsilon(String audit) throws ReflectiveOperationException {
        return (double) call("claimedEpsilon", new Class<?>[] {String.class}, audit);
    }

    /** The delta that belongs to {@link #claimedEpsilon}. */
    double claimedDelta(String audit) throws ReflectiveOperationException {
        return (double) call("claimedDelta", new Class<?>[] {String.class}, audit);
    }

    private Object call(String method, Class<?>[] types, Object... arguments) throws ReflectiveOperationException {
        return call(AuditCases.class, method, types, arguments);
    }

    /** Calls a static method of the copy of a class. */
    public Object call(Class<?> of, String method, Class<?>[] types, Object... arguments)
            throws ReflectiveOperationException {
        var found = loadClass(of.getName()).getDeclaredMethod(method, types);
        found.setAccessible(true);
        return found.invoke(null, arguments);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (loadedAgain.stream().noneMatch(name::startsWith)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded != null) {
                return loaded;
            }
            byte[] bytes = compiled.containsKey(name) ? compiled.get(name) : asTheTestsHaveIt(name);
            return defineClass(name, bytes, 0, bytes.length);
        }
    }

    private byte[] asTheTestsHaveIt(String name) throws ClassNotFoundException {
        try (InputStream file = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (file == null) {
                throw new ClassNotFoundException(name);
            }
            return file.readAllBytes();
        } catch (IOException failure) {
            throw new ClassNotFoundException(name, failure);
        }
    }

    private static Map<String, byte[]> compile(Map<Class<?>, String> sources) {
        Map<String, ByteArrayOutputStream> written = new HashMap<>();
        StringWriter complaints = new StringWriter();
        boolean compiles = COMPILER.getTask(
                        complaints,
                        inMemory(FILES, written),
                        null,
                        List.of("-classpath", System.getProperty("java.class.path"), "-proc:none", "-implicit:none"),
                        null,
                        sources.entrySet().stream()
                                .map(source -> new Source(source.getKey(), source.getValue()))
                                .toList())
                .call();
        if (!compiles) {
            throw new IllegalStateException(sources.keySet() + " do not compile: " + complaints);
        }
        Map<String, byte[]> classes = new HashMap<>();
        written.forEach((name, bytes) -> classes.put(name, bytes.toByteArray()));
        return classes;
    }

    private static JavaFileManager inMemory(JavaFileManager files, Map<String, ByteArrayOutputStream> written) {
        return new ForwardingJavaFileManager<>(files) {
            @Override
            public JavaFileObject getJavaFileForOutput(
                    Location location, String className, JavaFileObject.Kind kind, @Nullable FileObject sibling) {
                return new SimpleJavaFileObject(URI.create("memory:///" + className), kind) {
                    @Override
                    public OutputStream openOutputStream() {
                        return written.computeIfAbsent(className, name -> new ByteArrayOutputStream());
                    }
                };
            }
        };
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(Class<?> type, String text) {
            super(URI.create("memory:///" + type.getName().replace('.', '/') + ".java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
