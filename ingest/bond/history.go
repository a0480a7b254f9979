package bond

import (
	"regexp"
	"strings"

	"rollcall/ingest/value"
)

// A history is what some jails print in one cell: the amount of a column of its own, if one is set, then what clerks wrote
// about the bond, the newest entry first, then the day of the last change:
//
//	$500.00 $500 G.S BND*8/18 NO BOND @ ARREST Bond last updated 8/18/2017 10:16:19 AM
//	NO BND*9/26 NO BOND PER B/H $500 BOND @ ARREST Bond last updated 9/26/2017 9:02:11 AM
//
// Only the newest entry counts. An amount in front counts if the newest entry names it too, or says nothing of a bond. If
// the entry contradicts the amount, both readings are possible.

var (
	update = regexp.MustCompile(`(?i) ?\bBOND LAST UPDATED:?(?: ON)?(?: [0-9/: ]+(?:[AP]\.?M\.?)?)? ?$`)
	// stamp is a day or an occasion that an entry of a history ends with.
	stamp = regexp.MustCompile(`(?i)\* ?\d{1,2}[/*]\d{1,2}\b|(?:@|\bAT) ?ARREST\b|\bPER (?:B ?/? ?H|BOND HEARING)\b`)
	// original is where the name of the original charge begins.
	original = regexp.MustCompile(`(?i)\bORI\b`)
	// dayOfEntry is the day that an entry ends with.
	dayOfEntry = regexp.MustCompile(`\* ?\d{1,2}[/*]\d{1,2}\b`)
	// terms are what follows an amount that is itself an entry: $1,000 O/R BOND.
	terms = regexp.MustCompile(`(?i)^ ?(?:G ?[./]? ?S\b|O ?[./] ?R\b|CASH\b|SURETY\b|PROPERTY\b|BO?ND\b)`)
)

// cutUpdate takes the day of the last change off the end of a text; logged reports whether it has one.
func cutUpdate(text string) (rest string, logged bool) {
	at := update.FindStringIndex(text)
	if at == nil {
		return text, false
	}
	return text[:at[0]], true
}

// meaning is what an entry of a history says.
type meaning int

const (
	anAmount meaning = iota
	// isRefused says that there is no bond.
	isRefused
	// isElsewhere says that the bond of another charge covers this one.
	isElsewhere
	// isOver says that the charge is past bonds: dismissed, or sentenced.
	isOver
)

// entry is a statement of a history, from its first byte to the next one.
type entry struct {
	means meaning
	from  int
	// text is the entry and what is written after it; after is the part behind its first words.
	text, after string
	// unmarked is set for an amount without a dollar sign.
	unmarked bool
}

// marks find where statements begin. The groups are in the order of the meanings.
var marks = regexp.MustCompile(`(?i)(\$ ?\d[\d,]*(?:\.\d+)?|(?:^| )\d[\d,]{2,}(?:\.\d+)? ?(?:G ?[./]? ?S|O ?[./] ?R|CASH|SURETY|BO?ND)\b)` +
	`|(\bNO ?BO?ND\b|\bBO?ND (?:DENIED|REVOKED)\b)` +
	`|(\bBO?ND (?:AMOUNT )?INCL\w*|\bINCL\w* IN\b)` +
	`|(\b(?:SENT|SENTENCED?|SERVED|CONFINED|CONFINEMENT|PROBATION)\b|\bDISMISS\w*|\bNOL(?:LE)? PROS|\b\d+ ?(?:DA?YS?|MO?NTHS?|MTHS?|YE?A?RS?|HRS?)\b)`)

// entries finds the statements of a history.
func entries(text string) []entry {
	found := marks.FindAllStringSubmatchIndex(text, -1)
	list := make([]entry, len(found))
	for i, at := range found {
		end := len(text)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		from := at[0]
		if text[from] == ' ' {
			from++
		}
		list[i] = entry{from: from, text: text[from:end], after: text[at[1]:end]}
		for group := range 4 {
			if at[2+2*group] >= 0 {
				list[i].means = meaning(group)
			}
		}
		if list[i].means == anAmount && !strings.HasPrefix(list[i].text, "$") {
			list[i].unmarked = true
			list[i].text = "$" + list[i].text
			list[i].after = strings.TrimLeft(list[i].text, "$0123456789,.")
		}
	}
	return list
}

// readHistory reads a history without the day of its last change.
func readHistory(text string) Bond {
	if at := original.FindStringIndex(text); at != nil && at[0] > 0 {
		text = strings.TrimSpace(text[:at[0]])
	}
	if text == "" {
		return Bond{}
	}
	list := entries(text)
	if len(list) == 0 {
		return readPlain(text)
	}
	newest := list[0]
	if dayOfEntry.MatchString(text[:newest.from]) { // a newer entry, which says nothing that is known
		return Bond{Unread: true}
	}
	switch newest.means {
	case anAmount:
		if newest.unmarked && !newest.certain() || noBondOf(ofHistory(text)) {
			return Bond{Unread: true}
		}
		if newest.from > 0 { // such as "2 @ $500": what stands before it may change what it means
			return readPlain(strings.TrimSpace(text[:newest.from]) + " " + newest.text)
		}
		return newest.amount(list[1:])
	case isRefused:
		return Bond{Kind: kindOf(ofHistory(newest.text))}
	case isOver:
		return Bond{Kind: kindOf(text[:end(list, len(text))])}
	default:
		return Bond{}
	}
}

// certain reports whether an amount without a dollar sign is one: it begins the history, and is written as an amount. A
// year, or the number of a case, may stand before BOND as well.
func (e entry) certain() bool {
	return e.from == 0 && written.MatchString(number.FindString(e.text))
}

// end is where the first entries that say that a charge is over end: SENT 30 DAYS is two of them.
func end(list []entry, length int) int {
	for _, e := range list {
		if e.means != isOver {
			return e.from
		}
	}
	return length
}

// amount reads a history that begins with an amount; older are the entries after it.
func (e entry) amount(older []entry) Bond {
	cents, ok := value.Money(strings.TrimSpace(e.text))
	switch {
	case !ok, len(older) == 0 && !terms.MatchString(e.after) && strange(e.text):
		return Bond{Unread: true}
	case len(older) == 0 || terms.MatchString(e.after):
		return Bond{Cents: cents, Kind: security(e.text)}
	case older[0].means == isElsewhere: // the amount of the other charge is repeated here
		return Bond{}
	case older[0].means != anAmount:
		return Bond{Unread: true}
	}
	again, ok := value.Money(strings.TrimSpace(older[0].text))
	if !ok || again != cents {
		return Bond{Unread: true}
	}
	return Bond{Cents: cents, Kind: security(older[0].text)}
}
