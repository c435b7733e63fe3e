package dev.purser.access;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads addresses in the forms that proxies write: with a port, in brackets, with a zone, or shortened. No name is
 * looked up.
 */
final class Literals {
    private static final Pattern FORM =
            Pattern.compile("\\[(?<brackets>[^]]*)](?::\\d+)?|(?<plain>[^:]*)(?::\\d+)?|(?<bare>.*)");
    private static final int BYTES_OF_NETWORK = 8;

    private Literals() {}

    /** The address in this text; empty if the text is a name, or empty. */
    static Optional<InetAddress> address(String written) {
        Matcher form = FORM.matcher(written);
        if (!form.matches()) {
            return Optional.empty();
        }
        String literal = Optional.ofNullable(form.group("brackets"))
                .or(() -> Optional.ofNullable(form.group("plain")))
                .orElseGet(() -> form.group("bare"));
        try {
            return Optional.of(InetAddress.ofLiteral(literal.replaceFirst("%.*", "")));
        } catch (IllegalArgumentException notAnAddress) {
            return Optional.empty();
        }
    }

    /**
     * The name under which a sender is counted. For an IPv6 address it is the /64 network, because one owner has the
     * whole network.
     */
    static String sender(InetAddress address) {
        return address instanceof Inet6Address
                ? HexFormat.of().formatHex(address.getAddress(), 0, BYTES_OF_NETWORK)
                : address.getHostAddress();
    }
}
