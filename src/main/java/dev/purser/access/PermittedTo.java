package dev.purser.access;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The roles that an operation permits. Every handler method that needs a key has this annotation. Without it, or with
 * an empty list, an operation is for administrators only. The role is checked before the resource is looked up, so a
 * 403 never depends on what exists.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface PermittedTo {
    /** The permitted roles besides the administrator, who may do everything. */
    Role[] value();
}
