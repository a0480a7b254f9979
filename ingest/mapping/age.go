package mapping

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"rollcall/ingest/decode"
)

// aged is what a text says of an age.
type aged struct {
	years int   // 0: not told
	least int   // no age, but no number in it is less than these years
	born  []int // it is a year of birth rather than an age
	youth bool  // a word for the young
	odd   bool  // it may be anything, also the age of a child
	hint  bool  // it is odd, and there is something of a child in it
}

// age reads the age that a record states. What is certainly one is read however it is written; what is none leaves in
// doubt whether it speaks of a child, unless it is an ordinary word for an age that is not known.
func (m *Mapper) age(f *field, rec decode.Fields, now int) aged {
	v, bad := f.find(rec)
	if bad != nil {
		m.drop(bad)
		return aged{odd: true, hint: true}
	}
	text := v.text
	if v.means != "" {
		text = v.means
	}
	said := f.written(rec, v.way, text)
	a, good := ageOf(said, now)
	if !good && said != text && a.least > 0 { // steps of the document took an adult's number out of it
		if b, ok := ageOf(text, now); ok && b.years >= a.least {
			return b
		}
	}
	if !good {
		bad := reject(f.name, "is no whole number")
		bad.value = said
		m.drop(bad)
	}
	return a
}

// written is the text of a field as the source wrote it, where nothing but tidying made another one of it: the digits
// of "16Y 3M" are no age. w is the way that gave the text, nil where none did.
func (f *field) written(rec decode.Fields, w *way, text string) string {
	if f == nil || w != nil && !w.tidied {
		return text
	}
	for i := range f.ways {
		from := &f.ways[i]
		if !from.tidied || w != nil && w != from || !from.open(rec) {
			continue
		}
		for _, path := range from.From {
			said, _ := rec.Value(path)
			if said = from.clean(said); said != "" {
				return said
			}
		}
	}
	return text
}

// ageOf reads an age at an instant in the year now; good is false where the text is to be counted as left out.
func ageOf(text string, now int) (a aged, good bool) {
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
		return aged{youth: true}, true
	case doubt:
		return aged{odd: true, hint: true}, false
	case grownWord.MatchString(text):
		return aged{}, false
	}
	if said := agePattern.FindStringSubmatch(text); said != nil {
		if n, err := strconv.Atoi(said[1]); err == nil {
			return numberOfYears(n, now)
		}
	}
	return aged{least: leastYears(text), odd: leastYears(text) == 0, hint: childlike(text)}, false
}

// childlike tells whether a text in capitals that is no age may be meant for that of a child all the same: a number of
// years that a child in jail can have, also with letters for digits or blanks within it; such a number in words; months;
// or digits that are not ours.
func childlike(text string) bool {
	if shortTime.MatchString(text) || numberWord.MatchString(text) || strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII && unicode.IsNumber(r) }) {
		return true
	}
	young := func(digits string) bool {
		n, err := strconv.Atoi(digits)
		return err == nil && youngest <= n && n <= adult
	}
	text = misread.ReplaceAllStringFunc(text, strings.NewReplacer("O", "0", "I", "1", "L", "1").Replace)
	runs := digitRuns.FindAllString(text, -1)
	return slices.ContainsFunc(runs, young) || young(strings.Join(runs, ""))
}

// youngest is the least number of years that is taken for an age rather than for a slip of the pen.
const youngest = 7

// numberOfYears judges a plain number.
func numberOfYears(n, now int) (a aged, good bool) {
	switch {
	case n == 0 || n == -1:
		return a, true
	case 1 <= n && n <= maxAge:
		return aged{years: n}, true
	case n == 999 || slices.ContainsFunc(noBirths, func(year int) bool { return n == now-year || n == now-year-1 }):
		return a, false
	case n > 1900 && n <= now:
		return aged{born: []int{n}}, false
	default:
		return aged{odd: true, hint: childlike(strconv.Itoa(n))}, false
	}
}

// noBirths are the years in which dates begin, in databases and in sheets: programs tell the age of who was born then.
var noBirths = []int{1, 1753, 1899, 1900}

// leastYears is the least number in a text of which no number can be the age of a child; 0 where one can.
func leastYears(text string) int {
	if shortTime.MatchString(text) {
		return 0
	}
	least := 0
	for _, said := range digitRuns.FindAllString(text, -1) {
		n, err := strconv.Atoi(said)
		if err != nil || n < adult || n > maxAge {
			return 0
		}
		if least == 0 || n < least {
			least = n
		}
	}
	return least
}

// youth tells whether a text in capitals calls somebody young, or may do so.
func youth(text string) (young, doubt bool) {
	if said := underPattern.FindStringSubmatch(text); said != nil {
		n, err := strconv.Atoi(said[1])
		return err == nil && n <= adult, true
	}
	if youthWord.MatchString(text) {
		return !denied.MatchString(text), true
	}
	return false, underWord.MatchString(text)
}

// saysNothing tells whether a text in capitals is what people write where something is not known: signs, noughts, or
// a word for it. A mask ("XX/XX/XXXX") hides something, so it is none of these.
func saysNothing(text string) bool {
	return onlyNoughts.MatchString(text) || unknownWord.MatchString(text)
}

var (
	digitRuns    = regexp.MustCompile(`\d+`)
	onlyNoughts  = regexp.MustCompile(`^[-–—0.,/:?_\s]*$`)
	unknownWord  = regexp.MustCompile(`^\(?(N\.?/?A\.?|NONE|NULL|NIL|NAN|UNK|UNKN|UNKNOWN|UNAVAILABLE|UNDEFINED|UNSPECIFIED|MISSING|BLANK|TBD|NO (DOB|DATE|DATA|AGE)|NOT (AVAILABLE|ENTERED|GIVEN|KNOWN|LISTED|ON FILE|PROVIDED|RECORDED|REPORTED|SPECIFIED|STATED))\)?$`)
	youthWord    = regexp.MustCompile(`\b(JUV|JUVS|JUVIE|JUVENILES?|MINORS?|CHILD|CHILDREN|INFANT|YOUTHS?|YOUTHFUL|TEEN|TEENAGER|UNDER ?AGED?)\b`)
	denied       = regexp.MustCompile(`\b(NO|NOT|NON|ADULTS?)\b`)
	underPattern = regexp.MustCompile(`^\(?(?:UNDER|BELOW|LESS THAN|YOUNGER THAN|<) ?(\d{1,3})\b`)
	underWord    = regexp.MustCompile(`<|\b(UNDER|BELOW|LESS|YOUNG|YOUNGER|UP TO|MAX)\b`)
	grownWord    = regexp.MustCompile(`^(ADULT|(OVER|>) ?(17|18|19|21)|(17|18|19|21) ?(\+|(AND|OR|&) (OVER|OLDER|UP|ABOVE)))$`)
	misread      = regexp.MustCompile(`\b[0-9OIL]*[0-9][0-9OIL]*\b`)
	numberWord   = regexp.MustCompile(`TEEN\b|\b(SEVEN|EIGHT|NINE|TEN|ELEVEN|TWELVE)\b`)
	shortTime    = regexp.MustCompile(`\b\d+ ?(MOS?|MONTHS?|WKS?|WEEKS?|DAYS?)\b`)
	// "40", "16Y 3M", "16.5", "AGE 16", "16 Y.O.", "16 YEARS, 3 MONTHS", "16/M", "M16", "34 (W/F)"
	agePattern = regexp.MustCompile(`^(?:AGED? ?[:=.]? ?)?(?:(?:FEMALE|MALE|[MF])[ /,-]?)?(\d{1,3})(?:\.\d+)?'?(?:[ -]?(?:Y|YO|Y/O|Y\.? ?O\.?|YRS?|YEARS?)\.?(?:[ -]OLD)?` +
		`(?:,? ?(?:AND |& )?\d{1,2} ?(?:M|MOS?|MTHS?|MONTHS?)\.?)?(?:,? ?(?:AND |& )?\d{1,3} ?(?:D|DAYS?)\.?)?(?: OLD)?)?[MF]?(?:[ /,()]+(?:FEMALE|MALE|[MFBWHAIOUX]\b)?)*$`)
)
