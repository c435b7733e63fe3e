package dev.purser.json;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** Distinguishes UTF-8 text from other bytes, in constant memory. */
final class Utf8 {
    private Utf8() {}

    /**
     * Whether the bytes are UTF-8 (no overlong forms, no surrogates) without a byte order mark and without NUL. A JSON
     * document has no NUL, and every UTF-16 or UTF-32 document has one, so the parser cannot guess another encoding.
     */
    static boolean isText(byte[] bytes) {
        CharsetDecoder decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(8192);
        boolean first = true;
        while (true) {
            CoderResult result = decoder.decode(in, out, true);
            if (result.isError() || (first && out.position() > 0 && out.get(0) == '\uFEFF') || hasNul(out)) {
                return false;
            }
            if (result.isUnderflow()) {
                return true;
            }
            first = false;
            out.clear();
        }
    }

    private static boolean hasNul(CharBuffer filled) {
        char[] characters = filled.array();
        for (int i = 0; i < filled.position(); i++) {
            if (characters[i] == 0) {
                return true;
            }
        }
        return false;
    }
}
