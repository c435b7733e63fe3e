package dev.purser.problem;

/** The main of a process in which something escapes from a thread. */
final class Escaping {
    private Escaping() {}

    public static void main(String[] arguments) throws Exception {
        FatalErrors.install();
        Thread thread = switch (arguments[0]) {
            case "platform" -> Thread.ofPlatform().unstarted(Escaping::exhaust);
            case "virtual" -> Thread.ofVirtual().unstarted(Escaping::exhaust);
            case "wrapped" ->
                Thread.ofVirtual().unstarted(() -> {
                    try {
                        exhaust();
                    } catch (OutOfMemoryError error) {
                        throw new IllegalStateException(new IllegalArgumentException(error));
                    }
                });
            default ->
                Thread.ofPlatform().name(arguments[0]).unstarted(() -> {
                    throw new IllegalStateException("a slip");
                });
        };
        thread.start();
        thread.join();
        System.out.println("the work goes on");
    }

    private static void exhaust() {
        long[] tooMuch = new long[1 << 30];
        System.out.println(tooMuch.length);
    }
}
