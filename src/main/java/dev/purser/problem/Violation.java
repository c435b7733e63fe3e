package dev.purser.problem;

/**
 * One broken rule of a request.
 *
 * @param place the part of the request
 * @param location a JSON pointer in the body, or the name of a parameter or header
 * @param detail the rule and the value sent
 */
public record Violation(Place place, String location, String detail) {
    /** The part of a request that a rule is about. */
    public enum Place {
        POINTER,
        PARAMETER,
        HEADER
    }

    public static Violation atPointer(String pointer, String detail) {
        return new Violation(Place.POINTER, pointer, detail);
    }

    public static Violation ofParameter(String name, String detail) {
        return new Violation(Place.PARAMETER, name, detail);
    }

    public static Violation ofHeader(String name, String detail) {
        return new Violation(Place.HEADER, name, detail);
    }
}
