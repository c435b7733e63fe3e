package dev.purser.backup;

import dev.purser.digest.Sha256;
import dev.purser.store.PurserHome;
import dev.purser.store.StartupRefusal;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The list of all files of a backup with their SHA-256. It is written last and as a whole, so a folder with a manifest
 * is a completed backup. {@code sha256sum -c} reads it too.
 *
 * @param madeAt when the backup was begun
 * @param files the digest of each file, in hexadecimal digits, by its path in the folder
 */
record Manifest(Instant madeAt, Map<String, String> files) {
    private static final String NAME = "manifest.sha256";
    private static final String TITLE = "# Purser backup 1, begun at ";
    private static final String SEGMENT = "[A-Za-z0-9][A-Za-z0-9._-]*";
    private static final Pattern LINE = Pattern.compile("([0-9a-f]{64})  (" + SEGMENT + "(?:/" + SEGMENT + ")*)");

    /** Copies a file durably, for its owner alone, into a folder that exists. Returns its digest. */
    static String copy(Path from, Path to) throws IOException {
        MessageDigest digest = Sha256.begin();
        try (InputStream in = Files.newInputStream(from)) {
            Files.createFile(to, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            try (OutputStream out = Files.newOutputStream(to, StandardOpenOption.WRITE)) {
                in.transferTo(new DigestOutputStream(out, digest));
            }
        }
        PurserHome.syncFile(to);
        PurserHome.syncDirectory(to.resolveSibling("."));
        return HexFormat.of().formatHex(digest.digest());
    }

    /** Whether a file of this name can be listed. */
    static boolean mayName(String name) {
        return name.matches(SEGMENT);
    }

    /** The digest of a file. */
    static String digest(Path file) throws IOException {
        MessageDigest digest = Sha256.begin();
        try (InputStream in = Files.newInputStream(file)) {
            in.transferTo(new DigestOutputStream(OutputStream.nullOutputStream(), digest));
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    /** Writes the manifest into the folder of the backup. */
    void write(PurserHome folder) {
        StringBuilder text = new StringBuilder(TITLE).append(madeAt).append('\n');
        files.forEach(
                (path, digest) -> text.append(digest).append("  ").append(path).append('\n'));
        folder.writePrivately(folder.path().resolve(NAME), text.toString().getBytes(StandardCharsets.US_ASCII));
    }

    /**
     * The manifest in a folder, after the digests of all its files were verified.
     *
     * @throws StartupRefusal if there is none, or a file is missing or differs
     */
    static Manifest verified(Path folder) throws IOException {
        Path file = folder.resolve(NAME);
        if (!Files.isRegularFile(file)) {
            throw refusal(folder, "has no " + NAME + ": it is no backup, or was not completed");
        }
        String[] lines = Files.readString(file, StandardCharsets.ISO_8859_1).split("\n", -1);
        Map<String, String> files = new TreeMap<>();
        for (int i = 1; i < lines.length - 1; i++) {
            Matcher line = LINE.matcher(lines[i]);
            if (!line.matches()) {
                throw refusal(folder, "has a damaged " + NAME + ", at line " + (i + 1));
            }
            files.put(line.group(2), line.group(1));
        }
        if (!lines[0].startsWith(TITLE) || !lines[lines.length - 1].isEmpty()) {
            throw refusal(folder, "has a damaged " + NAME);
        }
        for (Map.Entry<String, String> each : files.entrySet()) {
            Path copied = folder.resolve(each.getKey());
            if (!Files.isRegularFile(copied)) {
                throw refusal(folder, "lacks the file " + each.getKey());
            }
            if (!digest(copied).equals(each.getValue())) {
                throw refusal(folder, "is damaged: the file " + each.getKey() + " was changed");
            }
        }
        return new Manifest(Instant.parse(lines[0].substring(TITLE.length())), files);
    }

    private static StartupRefusal refusal(Path folder, String how) {
        return new StartupRefusal("The folder " + folder + " " + how + ".", "Use another backup.");
    }
}
