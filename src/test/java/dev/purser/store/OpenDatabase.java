package dev.purser.store;

import java.nio.file.Path;

/** The main class of a second process. It says whether it could open the database of a home. */
final class OpenDatabase {
    private OpenDatabase() {}

    public static void main(String[] arguments) throws Exception {
        try (Database database = new Database(new PurserHome(Path.of(arguments[0])))) {
            System.out.println("opened " + database.isWritable());
        } catch (StartupRefusal refusal) {
            System.out.println("refused: " + refusal.getMessage());
        }
    }
}
