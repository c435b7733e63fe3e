package dev.purser.query.web;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks an operation that spends epsilon, and says what the {@code answer} member of its reply looks like. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@interface Spends {
    /** The kind's own value. */
    Class<?> answer();
}
