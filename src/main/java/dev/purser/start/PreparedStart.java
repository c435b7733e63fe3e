package dev.purser.start;

import dev.purser.digest.Sha256;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * What makes a start of the packaged service quick: its jar's parts side by side, and an archive of the classes that a start
 * loads (JEP 483). It is good for the very jar and the very Java that it was made with and for no other; a seal, written last,
 * says which: docs/adr/0027.
 *
 * @param packaged the jar of the build
 * @param folder where its parts are, or shall be
 */
public record PreparedStart(Path packaged, Path folder) {
    /** What every seal begins with, also that of a preparation that was not finished. */
    static final String MARK = "A prepared start of Purser\n";

    private static final int WRITABLE_BY_OTHERS = 0022;

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

    /** Where the jars are that it takes its classes from. */
    public Path libraries() {
        return folder.resolve("lib");
    }

    /** The classes that a start loads. */
    public Path archive() {
        return folder.resolve("classes.aot");
    }

    Path seal() {
        return folder.resolve("seal");
    }

    /**
     * Whether all parts are there, made from this jar as it is now, with this Java, and nobody else could have put them there: all
     * belong to root, to this process's user or to the jar's owner, and no other user may write to them.
     *
     * @throws IOException if something is there and cannot be read
     */
    public boolean isComplete() throws IOException {
        if (!Files.exists(seal(), LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        if (!belongsToTrusted(List.of(folder)) || !belongsToTrusted(places())) {
            return false;
        }
        return Files.readString(seal()).equals(origin().concat(contents()));
    }

    private boolean belongsToTrusted(List<Path> places) throws IOException {
        int user = (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        int ownerOfJar = (int) Files.getAttribute(packaged, "unix:uid");
        for (Path place : places) {
            int owner = (int) Files.getAttribute(place, "unix:uid", LinkOption.NOFOLLOW_LINKS);
            int mode = (int) Files.getAttribute(place, "unix:mode", LinkOption.NOFOLLOW_LINKS);
            boolean trusted = owner == 0 || owner == user || owner == ownerOfJar;
            if (!trusted || (mode & WRITABLE_BY_OTHERS) != 0) {
                return false;
            }
        }
        return true;
    }

    /** The jar by the sizes and checksums of all that is in it, which its directory holds, and Java by its home and build. */
    String origin() throws IOException {
        MessageDigest digest = Sha256.begin();
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
                MARK.strip(),
                packaged.getFileName().toString(),
                HexFormat.of().formatHex(digest.digest()),
                System.getProperty("java.vm.version"),
                System.getProperty("java.home"),
                "");
    }

    /** All parts by name and size. */
    String contents() throws IOException {
        StringBuilder contents = new StringBuilder();
        for (Path place : places()) {
            if (Files.isRegularFile(place) && !place.equals(seal())) {
                contents.append(folder.relativize(place))
                        .append(' ')
                        .append(Files.size(place))
                        .append('\n');
            }
        }
        return contents.toString();
    }

    /** The folder and everything in it, in a fixed order. */
    List<Path> places() throws IOException {
        List<Path> places = new ArrayList<>(List.of(folder));
        for (int i = 0; i < places.size(); i++) {
            if (Files.isDirectory(places.get(i), LinkOption.NOFOLLOW_LINKS) || i == 0) {
                try (DirectoryStream<Path> inside = Files.newDirectoryStream(places.get(i))) {
                    inside.forEach(places::add);
                }
            }
        }
        Collections.sort(places);
        return places;
    }
}
