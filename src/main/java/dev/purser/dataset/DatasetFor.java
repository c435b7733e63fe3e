package dev.purser.dataset;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The parameter of a handler that takes the dataset whose id is in the path, if the principal may use it for this. */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
public @interface DatasetFor {
    Use value();

    /** What a handler does with the dataset. */
    enum Use {
        /** Shows it, as {@link VisibleDatasets#require}. */
        READING,
        /** Asks about its rows, as {@link VisibleDatasets#requireReady}. */
        ASKING,
        /** Shows its books, as {@link VisibleDatasets#requireEvenDeleted}. */
        ACCOUNTING,
        /** Changes it, as {@link VisibleDatasets#requireOwn}. */
        CHANGING,
        /** Deletes it, as {@link VisibleDatasets#requireOwnEvenDeleted}. */
        DELETING
    }
}
