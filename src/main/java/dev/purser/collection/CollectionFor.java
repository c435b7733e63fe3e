package dev.purser.collection;

import dev.purser.collection.StoredCollection.Kind;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The parameter of a handler that takes the collection of the path, if the principal may use it for this. */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
public @interface CollectionFor {
    Use value();

    /** Whether the path names a collection or a training. */
    Kind kind() default Kind.COLLECTION;

    /** What a handler does with the collection. */
    enum Use {
        /** Shows it, or takes reports. */
        READING,
        /** Closes it. */
        CLOSING,
        /** Deletes it. */
        DELETING
    }
}
