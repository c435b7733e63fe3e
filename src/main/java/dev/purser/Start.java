package dev.purser;

/**
 * The class that the packaged jar starts. Like the jar's loader it is compiled for Java 17, so that it can print a
 * message on a Java that is too old for the service. It refers to the service only by name.
 */
public final class Start {
    private static final int NEEDED = 25;

    private Start() {}

    /** Starts {@link PurserApplication}. On an older Java it says what is needed and ends the process with status 1. */
    public static void main(String[] arguments) throws ReflectiveOperationException {
        if (Runtime.version().feature() < NEEDED) {
            System.err.println("Purser needs Java " + NEEDED + " or later, and this is Java " + Runtime.version()
                    + " in " + System.getProperty("java.home") + ": start it with the java of a newer one.");
            System.exit(1);
        }
        Class.forName("dev.purser.PurserApplication")
                .getMethod("main", String[].class)
                .invoke(null, (Object) arguments);
    }
}
