package dev.purser.sql;

import dev.purser.json.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A word, a sign or a literal of a statement.
 *
 * @param text a word in lower case; the text between quotation marks; the characters of a number or sign
 * @param position the place in the statement where it begins, from 1
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

    private static final int LONGEST_NUMBER = 60;
    private static final int MOST_TOKENS = 20_000;

    /**
     * The text between two tokens, and every kind of token in the order of {@link Kind}. A number has no exponent. No
     * part goes back over text that it read, so that a statement is read in one pass.
     */
    private static final Pattern TOKEN = Pattern.compile("""
            (?:\\s++|--[^\\n]*+|/\\*(?s:.*?)\\*/)\
            |([\\p{L}_][\\p{L}\\p{Nd}_$]*+)\
            |"([^"]*+)"\
            |'([^']*+)'\
            |([0-9]++(?:\\.[0-9]*+)?+|\\.[0-9]++)(?![\\p{L}\\p{Nd}_$.])\
            |(<>|!=|<=|>=|\\|\\||=>|/(?!\\*)|[()\\[\\],.;*+%=<>?-])""");

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

    /**
     * The tokens of a statement, including the end.
     *
     * @throws SqlRefusal if it has too many tokens, or text that is not a token
     */
    static List<SqlToken> of(String sql) {
        List<SqlToken> tokens = new ArrayList<>();
        Matcher next = TOKEN.matcher(sql);
        for (int at = 0; at < sql.length(); at = next.end()) {
            if (tokens.size() == MOST_TOKENS) {
                throw SqlRefusal.malformed("a statement may have at most " + MOST_TOKENS + " words and signs");
            }
            if (!next.region(at, sql.length()).lookingAt()) {
                throw unreadable(sql, at);
            }
            for (Kind kind : Kind.values()) {
                String text = kind == Kind.END ? null : next.group(kind.ordinal() + 1);
                if (text != null) {
                    tokens.add(token(kind, text, sql, at, tokens));
                }
            }
        }
        tokens.add(new SqlToken(Kind.END, "", sql.length() + 1));
        return tokens;
    }

    /** The next token. A doubled quotation mark stands for one mark, so the text after it belongs to the last token. */
    private static SqlToken token(Kind kind, String text, String sql, int at, List<SqlToken> before) {
        char first = sql.charAt(at);
        if ((first == '\'' || first == '"') && at > 0 && sql.charAt(at - 1) == first) {
            SqlToken begun = before.removeLast();
            return new SqlToken(kind, begun.text + first + text, begun.position);
        }
        if (kind == Kind.NUMBER && text.length() > LONGEST_NUMBER) {
            throw unreadable(sql, at);
        }
        String one = kind == Kind.WORD ? text.toLowerCase(Locale.ROOT) : text;
        return new SqlToken(kind, kind == Kind.SIGN && one.equals("!=") ? "<>" : one, at + 1);
    }

    private static SqlRefusal unreadable(String sql, int at) {
        char first = sql.charAt(at);
        String what = first == '\'' || first == '"'
                ? "a quotation that does not end"
                : first == '/'
                        ? "a comment that does not end"
                        : first >= '0' && first <= '9'
                                ? "a number that is no plain decimal of at most " + LONGEST_NUMBER + " characters"
                                : "the character " + Text.quoted(sql.substring(at, sql.offsetByCodePoints(at, 1)));
        return SqlRefusal.malformed("the statement has " + what + " at character " + (at + 1));
    }
}
