package dev.purser;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.purser.access.Principal;
import dev.purser.engine.DataEngine;
import dev.purser.engine.DataEngines;
import dev.purser.http.Body;
import dev.purser.http.ReadFromRows;
import dev.purser.ledger.BooksForProof;
import dev.purser.ledger.BudgetLedger;
import dev.purser.ledger.CommittedDebit;
import dev.purser.ledger.Forfeiture;
import dev.purser.ledger.attachment.Attachment;
import dev.purser.ledger.attachment.StoredAttachment;
import dev.purser.mechanism.Sensitive;
import dev.purser.problem.ProblemType;
import dev.purser.problem.Refuses;
import dev.purser.query.QueryRunner;
import java.io.IOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Checks the code against the map: which module may use which, what the plain modules must not use, where randomness
 * may come from, and who may open a sensitive value. It names only the modules that the rules concern, so a new module
 * is checked from its first class on.
 */
class ModularityTests {
    private static final String ROOT = "dev.purser";
    private static final Path SOURCES = Path.of("src/main/java");
    private static final String[] PLAIN = {
        "dev.purser.privacy..",
        "dev.purser.noise..",
        "dev.purser.mechanism..",
        "dev.purser.accounting..",
        "dev.purser.local.."
    };
    private static final String[] EXACT = {"dev.purser.privacy..", "dev.purser.accounting..", "dev.purser.ledger.."};
    private static final Set<String> BINARY_FRACTIONS =
            Set.of("double", "float", "java.lang.Double", "java.lang.Float");

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(ROOT);

    @Test
    void everyModuleSaysWhatItMayUseAndIsNullMarked() {
        assertThat(modules()).isNotEmpty();
        for (String module : modules()) {
            Package declared = packageOf(module);
            assertThat(declared.isAnnotationPresent(MayUse.class))
                    .as("@MayUse on the package-info of " + module)
                    .isTrue();
            assertThat(declared.isAnnotationPresent(NullMarked.class))
                    .as("@NullMarked on the package-info of " + module)
                    .isTrue();
            assertThat(modules()).as("the modules that " + module + " may use").containsAll(usesOf(module));
        }
    }

    /** A stack trace or a diff shows its reader only the simple name. */
    @Test
    void noTwoFilesHaveOneName() throws IOException {
        List<String> names = new ArrayList<>();
        for (String sources : List.of("src/main/java", "src/test/java", "src/lab/java")) {
            try (Stream<Path> files = Files.walk(Path.of(sources))) {
                files.filter(Files::isRegularFile)
                        .map(file -> file.getFileName().toString())
                        .filter(name -> name.endsWith(".java") && !name.equals("package-info.java"))
                        .forEach(names::add);
            }
        }
        assertThat(names).hasSizeGreaterThan(1_000).doesNotHaveDuplicates();
    }

    @Test
    void everyInnerPackageIsNullMarked() {
        Set<String> unmarked = CLASSES.stream()
                .filter(type -> moduleOf(type).isPresent())
                .map(JavaClass::getPackageName)
                .distinct()
                .filter(name -> !isAnnotated(name, NullMarked.class))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(unmarked).as("packages without @NullMarked").isEmpty();
    }

    @Test
    void modulesUseOnlyWhatTheyDeclare() {
        List<String> undeclared = crossings()
                .filter(crossing -> !crossing.isDeclared())
                .map(Crossing::description)
                .distinct()
                .toList();
        assertThat(undeclared).as("uses that no @MayUse declares").isEmpty();
    }

    @Test
    void innerPackagesOfAModuleAreNotUsedFromOutside() {
        List<String> intrusions = crossings()
                .filter(Crossing::reachesInside)
                .map(Crossing::description)
                .distinct()
                .toList();
        assertThat(intrusions).as("uses of another module's inner packages").isEmpty();
    }

    @Test
    void theDeclaredMapHasNoCycle() {
        Map<String, Set<String>> open = declaredMap();
        // Remove, again and again, every module that uses no module that is left. A module that stays is on a cycle or
        // uses a module on a cycle.
        while (open.entrySet().removeIf(entry -> entry.getValue().stream().noneMatch(open::containsKey))) {
            continue;
        }
        assertThat(open).as("modules on a cycle, or using one").isEmpty();
    }

    @Test
    void theArchitecturePageHasTheSameMap() throws IOException {
        Map<String, Set<String>> page = new TreeMap<>();
        Pattern row = Pattern.compile("^\\| `([a-z.]+)` \\|[^|]*\\|([^|]*)\\|\\s*$", Pattern.MULTILINE);
        Matcher rows = row.matcher(Files.readString(Path.of("docs/architecture.md")));
        while (rows.find()) {
            Set<String> uses = Pattern.compile("[a-z.]+")
                    .matcher(rows.group(2))
                    .results()
                    .map(use -> use.group())
                    .collect(Collectors.toCollection(TreeSet::new));
            page.put(rows.group(1), uses);
        }
        assertThat(page).as("the table of modules in docs/architecture.md").isEqualTo(declaredMap());
    }

    @Test
    void onlyTheEdgeKnowsStatusAndHeaders() {
        noClasses()
                .that(resideOutsideOfPackages("dev.purser.problem..", "dev.purser.openapi..", "dev.purser.watch.."))
                .should()
                .callMethod(ProblemType.class, "status")
                .check(CLASSES);
    }

    /** The problems that follow from the path and the body of an operation need no declaration, and have none. */
    @Test
    void theProblemsThatNeedADeclarationHaveOne() {
        Set<ProblemType> declared = CLASSES.stream()
                .flatMap(type -> type.getMethods().stream())
                .filter(method -> method.isAnnotatedWith(Refuses.class))
                .flatMap(method ->
                        Arrays.stream(method.getAnnotationOfType(Refuses.class).value()))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(declared)
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(ProblemType.values())
                        .filter(type -> type.where() == ProblemType.Where.WHERE_DECLARED)
                        .toList());
    }

    @Test
    void thePlainModulesArePlainJava() {
        noClasses()
                .that()
                .resideInAnyPackage(PLAIN)
                .should()
                .dependOnClassesThat(resideOutsideOfPackages(
                        "java..", "javax.crypto..", "dev.purser..", "org.jspecify..", "org.apache.commons.math3.."))
                .because("the privacy argument is read without a framework beside it")
                .check(CLASSES);
        noClasses()
                .that()
                .resideInAnyPackage(PLAIN)
                .should()
                .dependOnClassesThat(
                        resideInAnyPackage("java.sql..", "java.util.logging..", "java.net..", "java.nio.file.."))
                .orShould()
                .dependOnClassesThat(assignableTo(System.Logger.class))
                .orShould()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .because("exact values are neither stored, sent nor logged where they are computed")
                .check(CLASSES);
    }

    @Test
    void thePlainModulesHaveNoClock() {
        noClasses()
                .that()
                .resideInAnyPackage(PLAIN)
                .should()
                .dependOnClassesThat(assignableTo(java.time.Clock.class))
                .orShould()
                .callMethodWhere(target(owner(resideInAPackage("java.time.."))).and(target(name("now"))))
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .because("an answer is a function of the request, the rows and the random bits")
                .check(CLASSES);
    }

    @Test
    void randomnessIsSecureEverywhere() {
        noClasses()
                .should()
                .dependOnClassesThat(nameMatching("java\\.util\\.(Random|SplittableRandom)"
                        + "|java\\.util\\.concurrent\\.ThreadLocalRandom"
                        + "|java\\.util\\.random\\..*"
                        + "|org\\.apache\\.commons\\.math3\\.random\\..*"))
                .orShould()
                .callMethodWhere(target(owner(assignableTo(Math.class).or(assignableTo(StrictMath.class))))
                        .and(target(name("random"))))
                .orShould()
                .callMethod(java.util.Collections.class, "shuffle", List.class)
                .orShould()
                .callMethodWhere(target(owner(resideInAPackage("org.apache.commons.math3..")))
                        .and(target(nameMatching("sample|reseedRandomGenerator"))))
                .because("noise that can be predicted can be subtracted")
                .check(CLASSES);
    }

    @Test
    void onlyMechanismsOpenSensitiveValues() {
        noClasses()
                .that(resideOutsideOfPackages("dev.purser.mechanism.."))
                .should()
                .callMethodWhere(target(owner(assignableTo(Sensitive.class))).and(target(name("open"))))
                .check(CLASSES);
        noClasses()
                .should()
                .callMethodWhere(target(nameMatching("setAccessible|trySetAccessible|privateLookupIn")))
                .because("reflection would open what the compiler keeps shut")
                .check(CLASSES);
        assertThat(Arrays.stream(Sensitive.class.getMethods())
                        .filter(method -> method.getDeclaringClass() == Sensitive.class)
                        .map(java.lang.reflect.Method::getName))
                .as("public methods of Sensitive")
                .containsExactlyInAnyOrder("of", "part", "toString");
    }

    @Test
    void theLedgerOpensItsBooksOnlyToItsOwnParts() {
        noClasses()
                .that(resideOutsideOfPackages("dev.purser.ledger", "dev.purser.ledger.proof"))
                .should()
                .dependOnClassesThat(belongToAnyOf(BooksForProof.class, Forfeiture.class))
                .orShould()
                .callConstructorWhere(target(owner(assignableTo(BudgetLedger.class))))
                .check(CLASSES);
        noClasses()
                .that(resideOutsideOfPackages("dev.purser.ledger", "dev.purser.ledger.attachment"))
                .should()
                .dependOnClassesThat(resideInAPackage("dev.purser.ledger.attachment")
                        .and(not(belongToAnyOf(Attachment.class, StoredAttachment.class))))
                .check(CLASSES);
        for (Class<?> proof : List.of(CommittedDebit.class, StoredAttachment.class)) {
            assertThat(proof.getConstructors()).as("public constructors").isEmpty();
            assertThat(Arrays.stream(proof.getMethods()).filter(method -> Modifier.isStatic(method.getModifiers())))
                    .as("public ways to make one")
                    .isEmpty();
        }
    }

    @Test
    void quotesReachNothingThatReadsRowsOrSpends() {
        noClasses()
                .that()
                .resideInAPackage("dev.purser.query.quote..")
                .should()
                .transitivelyDependOnClassesThat(readRows().or(spend()))
                .because("a quote is made of public facts and of books that it can only look at")
                .check(CLASSES);
        // The controller of quotes looks up datasets, in the database that also has the ledger. It still reaches no row
        // and no debit.
        noClasses()
                .that(nameMatching("dev\\.purser\\.query\\.web\\.Quote.*"))
                .should()
                .transitivelyDependOnClassesThat(
                        resideInAPackage("dev.purser.engine..").and(readRows()).or(assignableTo(QueryRunner.class)))
                .orShould()
                .dependOnClassesThat(spend())
                .check(CLASSES);
        assertThat(CLASSES.that(resideInAPackage("dev.purser.query.quote..")))
                .as("classes that quote")
                .isNotEmpty();
    }

    /** A flaw in these libraries would let a hostile file in. */
    @Test
    void onlyTheChildProcessReadsParquet() {
        noClasses()
                .that(resideOutsideOfPackages("dev.purser.upload.parquet.."))
                .should()
                .dependOnClassesThat(resideInAnyPackage(
                        "dev.hardwood..", "org.xerial.snappy..", "com.github.luben..", "net.jpountz..", "io.airlift.."))
                .check(CLASSES);
    }

    /**
     * Every class that talks to a database, and every class that stands for one. The questions to an engine are data,
     * and harmless.
     */
    private static DescribedPredicate<JavaClass> readRows() {
        return assignableTo(DataEngine.class)
                .or(assignableTo(DataEngines.class))
                .or(resideInAnyPackage("dev.purser.store..", "java.sql..", "javax.sql.."))
                .as("can read rows");
    }

    private static DescribedPredicate<JavaClass> spend() {
        return assignableTo(BudgetLedger.class)
                .or(assignableTo(CommittedDebit.class))
                .or(assignableTo(Forfeiture.class))
                .or(assignableTo(QueryRunner.class))
                .as("can spend");
    }

    @Test
    void privacyAmountsNeverPassThroughABinaryFraction() {
        List<String> found = new ArrayList<>();
        for (JavaClass type : CLASSES.that(DescribedPredicate.describe("exact", resideInAnyPackage(EXACT)))) {
            type.getFields().stream()
                    .filter(field ->
                            BINARY_FRACTIONS.contains(field.getRawType().getName()))
                    .forEach(field -> found.add(field.getFullName()));
            type.getCodeUnits().stream()
                    .filter(ModularityTests::mentionsABinaryFraction)
                    .forEach(unit -> found.add(unit.getFullName()));
            type.getMethodCallsFromSelf().stream()
                    .filter(call -> BINARY_FRACTIONS.contains(
                            call.getTarget().getRawReturnType().getName()))
                    .forEach(call -> found.add(call.getDescription()));
        }
        assertThat(found)
                .as("double or float in privacy, accounting and ledger")
                .isEmpty();
    }

    @Test
    void everyPublicTypeHasJavadoc() throws IOException {
        List<Path> sources;
        try (Stream<Path> files = Files.walk(SOURCES)) {
            sources = files.filter(file -> file.toString().endsWith(".java")).toList();
        }
        List<String> silent = new ArrayList<>();
        for (Path source : sources) {
            String text = Files.readString(source);
            Matcher type = Pattern.compile(
                            "^public (?:\\w+(?:-\\w+)? )*(?:class|interface|record|enum|@interface) \\w+",
                            Pattern.MULTILINE)
                    .matcher(text);
            boolean documented = source.endsWith("package-info.java")
                    ? text.startsWith("/**")
                    : !type.find() || text.substring(0, type.start()).contains("\n/**");
            if (!documented) {
                silent.add(source.toString());
            }
        }
        assertThat(sources).isNotEmpty();
        assertThat(silent).as("public types and packages without Javadoc").isEmpty();
    }

    private static boolean mentionsABinaryFraction(JavaCodeUnit unit) {
        return BINARY_FRACTIONS.contains(unit.getRawReturnType().getName())
                || unit.getRawParameterTypes().stream()
                        .anyMatch(parameter -> BINARY_FRACTIONS.contains(parameter.getName()));
    }

    /** One class of a module that uses a class of this product outside that module. */
    private record Crossing(String from, Dependency dependency) {
        JavaClass target() {
            return dependency.getTargetClass().getBaseComponentType();
        }

        boolean isDeclared() {
            return moduleOf(target())
                    .map(to -> usesOf(from).contains(to))
                    .orElseGet(() -> target().getName().equals(MayUse.class.getName()));
        }

        boolean reachesInside() {
            return moduleOf(target())
                    .map(to -> !target().getPackageName().equals(ROOT + "." + to))
                    .orElse(false);
        }

        String description() {
            return dependency.getOriginClass().getName() + " uses " + target().getName();
        }
    }

    private static Stream<Crossing> crossings() {
        return CLASSES.stream()
                .flatMap(type -> moduleOf(type).stream()
                        .flatMap(module -> type.getDirectDependenciesFromSelf().stream()
                                .map(dependency -> new Crossing(module, dependency))
                                .filter(crossing -> isOurs(crossing.target()))
                                .filter(crossing -> !moduleOf(crossing.target()).equals(Optional.of(module)))));
    }

    private static boolean isOurs(JavaClass type) {
        return type.getPackageName().equals(ROOT) || type.getPackageName().startsWith(ROOT + ".");
    }

    /**
     * The module of a class: its package, or the nearest package around it that has its own {@link MayUse}, or the
     * package directly under the root. Classes in the root itself belong to no module.
     */
    private static Optional<String> moduleOf(JavaClass type) {
        if (!type.getPackageName().startsWith(ROOT + ".")) {
            return Optional.empty();
        }
        String module = type.getPackageName().substring(ROOT.length() + 1);
        while (module.contains(".") && !isAnnotated(ROOT + "." + module, MayUse.class)) {
            module = module.substring(0, module.lastIndexOf('.'));
        }
        return Optional.of(module);
    }

    private static Set<String> modules() {
        return CLASSES.stream().flatMap(type -> moduleOf(type).stream()).collect(Collectors.toCollection(TreeSet::new));
    }

    private static Map<String, Set<String>> declaredMap() {
        Map<String, Set<String>> map = new TreeMap<>();
        modules().forEach(module -> map.put(module, usesOf(module)));
        return map;
    }

    private static Set<String> usesOf(String module) {
        MayUse declared = packageOf(module).getAnnotation(MayUse.class);
        return declared == null ? Set.of() : new TreeSet<>(List.of(declared.value()));
    }

    private static Package packageOf(String module) {
        return packageInfo(ROOT + "." + module)
                .orElseThrow(() -> new AssertionError("module " + module + " has no annotated package-info"))
                .getPackage();
    }

    private static boolean isAnnotated(String packageName, Class<? extends Annotation> annotation) {
        return packageInfo(packageName)
                .map(info -> info.isAnnotationPresent(annotation))
                .orElse(false);
    }

    private static Optional<Class<?>> packageInfo(String packageName) {
        try {
            return Optional.of(Class.forName(packageName + ".package-info"));
        } catch (ClassNotFoundException e) {
            return Optional.empty();
        }
    }

    /** The reader of a body may need the other arguments, which have to be made before the body is read. */
    @Test
    void aBodyIsTheLastThatAHandlerTakesAndItsSenderIsKnown() throws Exception {
        int bodies = 0;
        for (JavaClass type : CLASSES) {
            if (!type.getPackageName().endsWith(".web")) {
                continue;
            }
            for (Method method : type.reflect().getDeclaredMethods()) {
                List<Parameter> parameters = List.of(method.getParameters());
                List<Parameter> taken = parameters.stream()
                        .filter(each -> each.isAnnotationPresent(Body.class))
                        .toList();
                if (!taken.isEmpty()) {
                    bodies++;
                    assertThat(taken).as(method.toString()).containsExactly(parameters.getLast());
                    assertThat(parameters).as(method.toString()).anyMatch(each -> each.getType() == Principal.class);
                    assertThat(parameters.stream().filter(each -> ReadFromRows.class.isAssignableFrom(each.getType())))
                            .as("rows that one statement compares, " + method)
                            .hasSizeLessThan(3);
                }
            }
        }
        assertThat(bodies).isGreaterThan(12);
    }
}
