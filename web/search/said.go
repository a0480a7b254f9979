package search

import (
	"strconv"
	"strings"

	"rollcall/web/words"
)

// Any reports whether anything was found.
func (f *found) Any() bool { return len(f.ByNumber)+len(f.Groups) > 0 }

// First reports whether the first results are shown, and not a next page.
func (f *found) First() bool { return f.asked.more == "" }

// Said returns how much was found, for readers who do not see the page.
func (f *found) Said() words.Text {
	var counts []words.Text
	if f.asked.Number != "" {
		counts = append(counts, words.T("{1} by number", len(f.ByNumber)+f.Others))
	}
	for _, g := range f.searched {
		counts = append(counts, g.count)
	}
	notes := []words.Text{words.Join(", ", counts...), f.Unsearched(), f.Only()}
	if f.Charged > 0 {
		notes = append(notes, f.ChargedSays())
	}
	if f.County != nil {
		notes = append(notes, f.CountySays())
	}
	return words.Join(". ", notes...)
}

// Unsearched says what was typed and is not searched: what is beside a name and no number of a record, or a birth without a name.
func (f *found) Unsearched() words.Text {
	a := f.asked
	if _, born := birthOf(a.Number); born && a.more == "" {
		return words.T("A birth alone is not searched: type a name beside it, such as “smith {1}”. To list all people of an age, set the filter “Age”.", a.Number)
	}
	if a.Number == "" || a.Name == "" || len(f.ByNumber) > 0 || len(f.Groups) == 0 || a.more != "" {
		return nil
	}
	var left []string
	for word := range strings.FieldsSeq(a.Typed) {
		if digit.MatchString(word) {
			left = append(left, word)
		}
	}
	return words.T("“{1}” is not searched: these are all of the name “{2}”, of any age. Compare the birth dates.", strings.Join(left, " "), a.Name)
}

// Only says that bookings alone were searched, where something narrows what no other record states.
func (f *found) Only() words.Text {
	a := f.asked
	if !a.narrowed() || a.Status != "" || len(f.Groups) == 0 || a.more != "" || a.numberOnly() {
		return nil
	}
	var born words.Text
	switch {
	case a.Born > 0:
		born = words.T("Only people born in {1}.", strconv.Itoa(a.Born))
	case a.Day != nil:
		born = words.T("Only people born on {1}, or in that year where no day is stated.", words.Day(*a.Day))
	}
	return words.Join(" ", born, words.T("Filters and birth years apply to jail bookings: court cases and state corrections are not searched."))
}

// OthersSay says how many cases with a part of the number are not shown.
func (f *found) OthersSay() words.Text {
	return words.T("{1 more case has|more cases have} this part in the number. Type more of it to see fewer.", f.Others)
}

// ChargedSays says how many bookings have the words in a charge.
func (f *found) ChargedSays() words.Text {
	if !f.Any() {
		return words.T("No name matches. {1 booking has|bookings have} a charge with “{2}”.", f.Charged, f.ChargeWords)
	}
	return words.T("{1 booking has|bookings have} a charge with “{2}”.", f.Charged, f.ChargeWords)
}

// CountyOnly reports that state corrections are left out only because their records are of no county.
func (f *found) CountyOnly() bool {
	a := f.asked
	return a.County != "" && a.Status == "" && a.Name != "" && a.cases() != nil && f.Any() && a.more == ""
}

// Alert is the address of a new alert on the name; empty: what was typed is no name, or no bookings are searched. What nobody is called
// may be a name where it has two words and is nothing else.
func (f *found) Alert() string {
	a := f.asked
	other := len(f.ByNumber) > 0 || f.Charged > 0 || f.County != nil || f.InCounty != nil
	if a.Name == "" || a.bookings() == nil || a.more != "" || len(f.Groups) == 0 && (other || len(f.words) < 2) {
		return ""
	}
	return "/search/alert?" + a.Encode()
}

// Widened is the address of the same search in all of Georgia, where nothing was found in a county; else it is empty.
func (f *found) Widened() string {
	if a := f.asked; a.County != "" && a.Set == 0 && !f.Any() {
		return a.with("county", "")
	}
	return ""
}

// Hint says what may find more, where nothing was found.
func (f *found) Hint() words.Text {
	switch a := f.asked; {
	case a.Number != "" && a.Name != "":
		return words.T("Beside a name, only a year or a date of birth is compared. Leave other numbers out.")
	case a.Number != "":
		return words.T("A record id and an offender id have to be whole; of a case number any part is enough, as the court writes it.")
	case a.Set > 0:
		return words.T("Nothing matches these filters. Clear some of them to see more.")
	case a.County != "" && a.Status != "":
		return words.T("Nothing matches with this county and status.")
	case a.County != "":
		return words.T("Nothing matches with this county.")
	case a.Status != "":
		return words.T("Nothing matches with this status. Choose any status to see all.")
	}
	if f.Similar == nil {
		return words.T("Try fewer letters. Similar names are looked for where a first and a last name are typed. Only covered counties are searched.")
	}
	return words.T("Try fewer letters, or look at similar names below. Only covered counties are searched.")
}
