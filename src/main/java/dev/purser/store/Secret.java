package dev.purser.store;

/**
 * A secret among the settings. It is never shown.
 *
 * @param text the secret; empty if none is set
 */
public record Secret(String text) {
    @Override
    public String toString() {
        return text.isEmpty() ? "none" : "hidden";
    }
}
