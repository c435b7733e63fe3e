package dev.purser.query;

import dev.purser.dataset.Dataset;
import dev.purser.http.Page;

/** The stored answers of a dataset, as the API lists them. They are free for all who may ask about the dataset. */
public interface NewestAnswers {
    /** The answers to everybody's questions, the newest first. Nothing says who asked. */
    Page<?> of(Dataset dataset, int limit);
}
