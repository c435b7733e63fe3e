package dev.purser.access;

/**
 * Who is asking. Controllers receive it with {@code @AuthenticationPrincipal Principal principal}.
 *
 * @param name unique for ever; also the ledger's {@code analyst}
 */
public record Principal(String name, Role role) implements java.security.Principal {
    @Override
    public String getName() {
        return name;
    }
}
