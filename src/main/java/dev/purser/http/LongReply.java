package dev.purser.http;

import dev.purser.admission.AdmissionControl;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A handler whose reply is held in memory until it is sent, and can be long. Its requests wait for their turn
 * ({@link LongReplies}). A handler that takes {@link Paging} is such a handler without the annotation.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface LongReply {
    /** The memory that is counted for the reply. */
    int bytes() default AdmissionControl.REPLY_BYTES;
}
