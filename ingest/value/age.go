package value

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"rollcall/models"
)

// MaxAge is the age in years above which a birth date is a typing mistake and not a fact.
const MaxAge = 120

// Adult is the age in years from which on records of a person are public.
const Adult = models.AdultAge

// Age is what a text says of an age. Only Years is a fact. All other fields protect the young: they say in which
// direction an unreadable text leaves a doubt.
type Age struct {
	// Years are whole years; 0 where the text states none.
	Years int
	// Least is set where the text is no age: no number in it is less than this many years. It is 0 where one
	// is, or where it has none.
	Least int
	// Born is the number, where it is a year of birth rather than an age.
	Born []int
	// Youth reports whether the text has a word for the young, such as "JUVENILE".
	Youth bool
	// Odd reports whether the text may mean anything, also the age of a child.
	Odd bool
	// Hint reports whether something in an unreadable text resembles the age of a child.
	Hint bool
}

// ReadAge reads the text of an age; now is the present year. good is false where the text is to be counted as left out.
// The order of the tests matters: words for the young come before words for adults, so that "NOT AN ADULT, JUV"
// protects.
func ReadAge(text string, now int) (a Age, good bool) {
	if text == "" {
		return a, true
	}
	if n, err := strconv.Atoi(text); err == nil {
		return numberOfYears(n, now)
	}
	text = strings.ToUpper(text)
	if saysNothing(text) {
		return a, strings.ContainsRune(text, '0')
	}
	switch young, doubt := youth(text); {
	case young:
		return Age{Youth: true}, true
	case doubt:
		return Age{Odd: true, Hint: true}, false
	case grownWord.MatchString(text):
		return Age{}, false
	}
	if said := agePattern.FindStringSubmatch(text); said != nil {
		if n, err := strconv.Atoi(said[1]); err == nil {
			return numberOfYears(n, now)
		}
	}
	return Age{Least: leastYears(text), Odd: leastYears(text) == 0, Hint: childlike(text)}, false
}

// childlike reports whether a text in capitals that is no age may still mean that of a child: a number of years that a
// child in jail can have, also with letters for digits or blanks within it; such a number in words; months; or digits
// of another script.
func childlike(text string) bool {
	if shortTime.MatchString(text) || numberWord.MatchString(text) ||
		strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII && unicode.IsNumber(r) }) {
		return true
	}
	young := func(digits string) bool {
		n, err := strconv.Atoi(digits)
		return err == nil && youngest <= n && n <= Adult
	}
	text = misread.ReplaceAllStringFunc(text, strings.NewReplacer("O", "0", "I", "1", "L", "1").Replace)
	runs := digitRuns.FindAllString(text, -1)
	return slices.ContainsFunc(runs, young) || young(strings.Join(runs, ""))
}

// youngest is the lowest number of years that is taken for an age. Lower ones are typing mistakes: nobody of that age
// is booked into a jail.
const youngest = 7

// numberOfYears reads a plain number: an age, a year of birth, or one of the numbers that databases write where nothing
// is known.
func numberOfYears(n, now int) (a Age, good bool) {
	switch {
	case n == 0 || n == -1:
		return a, true
	case 1 <= n && n <= MaxAge:
		return Age{Years: n}, true
	case n == 999 || slices.ContainsFunc(noBirths, func(year int) bool { return n == now-year || n == now-year-1 }):
		return a, false
	case n > 1900 && n <= now:
		return Age{Born: []int{n}}, false
	default:
		return Age{Odd: true, Hint: childlike(strconv.Itoa(n))}, false
	}
}

// noBirths are the years in which the dates of databases and spreadsheets begin. A program that has no birth date
// computes the age of a person born then.
var noBirths = []int{1, 1753, 1899, 1900}

// leastYears returns the lowest number in a text none of whose numbers can be the age of a child; 0 where one can be.
func leastYears(text string) int {
	if shortTime.MatchString(text) {
		return 0
	}
	least := 0
	for _, said := range digitRuns.FindAllString(text, -1) {
		n, err := strconv.Atoi(said)
		if err != nil || n < Adult || n > MaxAge {
			return 0
		}
		if least == 0 || n < least {
			least = n
		}
	}
	return least
}

// youth reports whether a text in capitals calls a person young, or may do so. A denied word ("NOT A JUVENILE") is a
// doubt, since a program that denies one person's youth may affirm another's with the same words.
func youth(text string) (young, doubt bool) {
	if said := underPattern.FindStringSubmatch(text); said != nil {
		n, err := strconv.Atoi(said[1])
		return err == nil && n <= Adult, true
	}
	if youthWord.MatchString(text) {
		return !denied.MatchString(text), true
	}
	return false, underWord.MatchString(text)
}

// saysNothing reports whether a text in capitals is what people write where a value is not known: signs, zeros, or a
// word for it. A mask ("XX/XX/XXXX") is none of these: it hides a value, and that may be a child's.
func saysNothing(text string) bool {
	return onlyNoughts.MatchString(text) || unknownWord.MatchString(text)
}

var (
	digitRuns   = regexp.MustCompile(`\d+`)
	onlyNoughts = regexp.MustCompile(`^[-–—0.,/:?_\s]*$`)
	unknownWord = regexp.MustCompile(`^\(?(N\.?/?A\.?|NONE|NULL|NIL|NAN|UNK|UNKN|UNKNOWN|` +
		`UNAVAILABLE|UNDEFINED|UNSPECIFIED|MISSING|BLANK|TBD|NO (DOB|DATE|DATA|AGE)|` +
		`NOT (AVAILABLE|ENTERED|GIVEN|KNOWN|LISTED|ON FILE|PROVIDED|RECORDED|REPORTED|SPECIFIED|STATED))\)?$`)
	youthWord    = regexp.MustCompile(`\b(JUV|JUVS|JUVIE|JUVENILES?|MINORS?|CHILD|CHILDREN|INFANT|YOUTHS?|YOUTHFUL|TEEN|TEENAGER|UNDER ?AGED?)\b`)
	denied       = regexp.MustCompile(`\b(NO|NOT|NON|ADULTS?)\b`)
	underPattern = regexp.MustCompile(`^\(?(?:UNDER|BELOW|LESS THAN|YOUNGER THAN|<) ?(\d{1,3})\b`)
	underWord    = regexp.MustCompile(`<|\b(UNDER|BELOW|LESS|YOUNG|YOUNGER|UP TO|MAX)\b`)
	grownWord    = regexp.MustCompile(`^(ADULT|(OVER|>) ?(17|18|19|21)|(17|18|19|21) ?(\+|(AND|OR|&) (OVER|OLDER|UP|ABOVE)))$`)
	misread      = regexp.MustCompile(`\b[0-9OIL]*[0-9][0-9OIL]*\b`)
	numberWord   = regexp.MustCompile(`TEEN\b|\b(SEVEN|EIGHT|NINE|TEN|ELEVEN|TWELVE)\b`)
	shortTime    = regexp.MustCompile(`\b\d+ ?(MOS?|MONTHS?|WKS?|WEEKS?|DAYS?)\b`)
	// "40", "16Y 3M", "16.5", "AGE 16", "16 Y.O.", "16 YEARS, 3 MONTHS", "16/M", "M16", "34 (W/F)"
	agePattern = regexp.MustCompile(`^(?:AGED? ?[:=.]? ?)?(?:(?:FEMALE|MALE|[MF])[ /,-]?)?(\d{1,3})(?:\.\d+)?'?` +
		`(?:[ -]?(?:Y|YO|Y/O|Y\.? ?O\.?|YRS?|YEARS?)\.?(?:[ -]OLD)?` +
		`(?:,? ?(?:AND |& )?\d{1,2} ?(?:M|MOS?|MTHS?|MONTHS?)\.?)?(?:,? ?(?:AND |& )?\d{1,3} ?(?:D|DAYS?)\.?)?(?: OLD)?)?` +
		`[MF]?(?:[ /,()]+(?:FEMALE|MALE|[MFBWHAIOUX]\b)?)*$`)
)
