package dev.purser.rows;

import java.io.IOException;

/** The forms of a {@link ColumnProfile} and their numbers in a file. */
enum ProfileForm {
    /** A {@link SortedProfile}. */
    SORTED(1),
    /** A {@link CountedProfile}. */
    COUNTED(2);

    private final int number;

    ProfileForm(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }

    static ProfileForm of(long number) throws IOException {
        for (ProfileForm form : values()) {
            if (form.number == number) {
                return form;
            }
        }
        throw new IOException("a profile of unknown form");
    }
}
