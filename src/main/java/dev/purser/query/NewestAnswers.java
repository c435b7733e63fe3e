package dev.purser.query;

import dev.purser.dataset.Dataset;
import dev.purser.http.Page;

/** The stored answers of a dataset, as the API lists them. Each is free for whoever may ask about the dataset. */
public interface NewestAnswers {
    /** The newest first, to everybody's questions; nothing says who asked. */
    Page<?> of(Dataset dataset, int limit);
}
