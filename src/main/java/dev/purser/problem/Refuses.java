package dev.purser.problem;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The problems that an operation can answer with, besides the problems that follow from its path and its body. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Refuses {
    /** The types, which are all {@link ProblemType.Where#WHERE_DECLARED}. */
    ProblemType[] value();
}
