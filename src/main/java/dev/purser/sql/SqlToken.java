package dev.purser.sql;

import dev.purser.json.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A word, a sign or a literal of a statement.
 *
 * @param text a word in lower case; what stands between quotation marks; the characters of a number or sign
 * @param position where it begins in the statement, from 1
 */
record SqlToken(Kind kind, String text, int position) {
    enum Kind {
        WORD,
        QUOTED_NAME,
        TEXT,
        NUMBER,
        SIGN,
        END
    }

    /** Longer first. */
    private static final List<String> SIGNS = List.of(
            "<>", "!=", "<=", ">=", "||", "=>", "(", ")", "[", "]", ",", ".", ";", "*", "/", "+", "-", "%", "=", "<",
            ">", "?");

    /** The same token at another place. */
    SqlToken at(int elsewhere) {
        return new SqlToken(kind, text, elsewhere);
    }

    boolean is(String wordOrSign) {
        return (kind == Kind.WORD || kind == Kind.SIGN) && text.equals(wordOrSign);
    }

    /** The token in a sentence. */
    String shown() {
        return kind == Kind.END ? "the end" : Text.quoted(text);
    }

    /** The tokens of a statement, the end included. */
    static List<SqlToken> of(String sql) {
        List<SqlToken> tokens = new ArrayList<>();
        Scan scan = new Scan(sql);
        for (SqlToken next = scan.next(); next != null; next = scan.next()) {
            tokens.add(next);
        }
        tokens.add(new SqlToken(Kind.END, "", sql.length() + 1));
        return tokens;
    }

    private static final class Scan {
        private final String sql;
        private int at;

        Scan(String sql) {
            this.sql = sql;
        }

        @Nullable
        SqlToken next() {
            skipBlanksAndComments();
            if (at == sql.length()) {
                return null;
            }
            int start = at;
            char first = sql.charAt(at);
            if (first == '\'' || first == '"') {
                String text = quoted(first);
                return new SqlToken(first == '"' ? Kind.QUOTED_NAME : Kind.TEXT, text, start + 1);
            }
            if (isDigit(first) || first == '.' && at + 1 < sql.length() && isDigit(sql.charAt(at + 1))) {
                return number(start);
            }
            if (Character.isLetter(first) || first == '_') {
                while (at < sql.length() && isPartOfWord(sql.charAt(at))) {
                    at++;
                }
                return new SqlToken(Kind.WORD, sql.substring(start, at).toLowerCase(Locale.ROOT), start + 1);
            }
            return sign(start);
        }

        private void skipBlanksAndComments() {
            while (at < sql.length()) {
                if (Character.isWhitespace(sql.charAt(at))) {
                    at++;
                } else if (sql.startsWith("--", at)) {
                    int end = sql.indexOf('\n', at);
                    at = end < 0 ? sql.length() : end;
                } else if (sql.startsWith("/*", at)) {
                    int end = sql.indexOf("*/", at + 2);
                    if (end < 0) {
                        throw refused("a comment that does not end", at);
                    }
                    at = end + 2;
                } else {
                    return;
                }
            }
        }

        /** A doubled quotation mark stands for one. */
        private String quoted(char mark) {
            int start = at++;
            StringBuilder text = new StringBuilder();
            while (at < sql.length()) {
                char next = sql.charAt(at++);
                if (next != mark) {
                    text.append(next);
                } else if (at < sql.length() && sql.charAt(at) == mark) {
                    text.append(mark);
                    at++;
                } else {
                    return text.toString();
                }
            }
            throw refused("a quotation that does not end", start);
        }

        /** Digits and a point. An exponent would follow as a word, which the grammar refuses. */
        private SqlToken number(int start) {
            while (at < sql.length() && (isDigit(sql.charAt(at)) || sql.charAt(at) == '.')) {
                at++;
            }
            String text = sql.substring(start, at);
            boolean isWord = at < sql.length() && isPartOfWord(sql.charAt(at));
            if (isWord || text.indexOf('.') != text.lastIndexOf('.') || text.length() > 60) {
                throw refused("a number that is no plain decimal of at most 60 characters", start);
            }
            return new SqlToken(Kind.NUMBER, text, start + 1);
        }

        private SqlToken sign(int start) {
            for (String sign : SIGNS) {
                if (sql.startsWith(sign, at)) {
                    at += sign.length();
                    return new SqlToken(Kind.SIGN, sign.equals("!=") ? "<>" : sign, start + 1);
                }
            }
            throw refused("the character " + Text.quoted(sql.substring(at, sql.offsetByCodePoints(at, 1))), start);
        }

        private static SqlRefusal refused(String what, int position) {
            return new SqlRefusal(
                    SqlRefusal.Error.SYNTAX_ERROR, "the statement has " + what + " at character " + (position + 1));
        }

        private static boolean isDigit(char character) {
            return character >= '0' && character <= '9';
        }

        private static boolean isPartOfWord(char character) {
            return Character.isLetterOrDigit(character) || character == '_' || character == '$';
        }
    }
}
