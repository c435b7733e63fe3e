package dev.purser.store;

/**
 * The service cannot start, for a reason that its operator can fix. It is printed as two sentences, without a stack
 * trace.
 */
public final class StartupRefusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String action;

    /**
     * @param reason what is wrong
     * @param action what to do about it
     */
    public StartupRefusal(String reason, String action) {
        super(reason);
        this.action = action;
    }

    public StartupRefusal(String reason, String action, Throwable cause) {
        super(reason, cause);
        this.action = action;
    }

    public String action() {
        return action;
    }
}
