package dev.purser.start;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Enumeration;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.springframework.util.FileSystemUtils;

/**
 * What makes a start of the packaged service quick: its jar's parts side by side, and an archive of the classes that a start
 * loads (JEP 483). It is good for the very jar and the very Java that it was made with and for no other; a seal, written last,
 * says which: docs/adr/0027.
 *
 * @param packaged the jar of the build
 * @param folder where its parts are, or shall be
 */
public record PreparedStart(Path packaged, Path folder) {
    /** Where a start of {@code packaged} looks: in the folder {@code purser-prepared} beside {@code purser.jar}. */
    public static PreparedStart beside(Path packaged) {
        String name = packaged.getFileName().toString();
        int end = name.endsWith(".jar") ? name.length() - ".jar".length() : name.length();
        return new PreparedStart(
                packaged, packaged.resolveSibling(name.substring(0, end).concat("-prepared")));
    }

    /** The jar that starts the service from the parts. */
    public Path jar() {
        return folder.resolve(packaged.getFileName());
    }

    /** The classes that a start loads. */
    public Path archive() {
        return folder.resolve("classes.aot");
    }

    private Path seal() {
        return folder.resolve("made-from");
    }

    /**
     * Makes the folder, or empties one that was made so. From now on nothing is complete.
     *
     * @throws IOException if it holds anything else, or cannot be made or emptied
     */
    public void begin() throws IOException {
        Files.createDirectories(folder);
        try (Stream<Path> there = Files.list(folder)) {
            List<Path> parts = there.filter(part -> !part.equals(seal())).toList();
            if (!parts.isEmpty() && !Files.exists(seal())) {
                throw new FileAlreadyExistsException(folder.toString(), null, "not empty, and nothing prepared");
            }
            Files.writeString(seal(), "");
            for (Path part : parts) {
                FileSystemUtils.deleteRecursively(part);
            }
        }
    }

    /**
     * Says that all parts are there.
     *
     * @throws IOException if the jar cannot be read or the seal not be written
     */
    public void complete() throws IOException {
        Files.writeString(seal(), origin());
    }

    /**
     * Whether all parts are there, made from this jar as it is now, with this Java.
     *
     * @throws IOException if a file is there and cannot be read
     */
    public boolean isComplete() throws IOException {
        return Files.exists(seal()) && Files.readString(seal()).equals(origin());
    }

    /** The jar by the sizes and checksums of all that is in it, which its directory holds, and Java by its home and build. */
    private String origin() throws IOException {
        MessageDigest digest = sha256();
        try (ZipFile jar = new ZipFile(packaged.toFile())) {
            Enumeration<? extends ZipEntry> entries = jar.entries();
            while (entries.hasMoreElements()) {
                ZipEntry entry = entries.nextElement();
                digest.update(entry.getName().getBytes(StandardCharsets.UTF_8));
                digest.update(ByteBuffer.allocate(2 * Long.BYTES)
                        .putLong(entry.getSize())
                        .putLong(entry.getCrc())
                        .flip());
            }
        }
        return String.join(
                "\n",
                HexFormat.of().formatHex(digest.digest()),
                System.getProperty("java.vm.version"),
                System.getProperty("java.home"),
                "");
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }
}
