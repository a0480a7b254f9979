package search

import (
	"strconv"
	"strings"

	"rollcall/match"
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
	if f.Charged == 0 && !f.CountyOnly() {
		for _, g := range f.searched {
			counts = append(counts, g.count)
		}
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
		return words.T("Type a name with the birth, such as “smith {1}”. To list people by age, use the filter “Age”.", a.Number)
	}
	if a.Number == "" || a.Name == "" || len(f.ByNumber) > 0 || len(f.Groups) == 0 || f.Charged > 0 || a.more != "" {
		return nil
	}
	var left []string
	for word := range strings.FieldsSeq(a.Typed) {
		if digit.MatchString(word) {
			left = append(left, word)
		}
	}
	return words.T("“{1}” was not searched. The results are for “{2}”, at any age. Compare the birth dates.", strings.Join(left, " "), a.Name)
}

// Only says that a birth narrows the results to bookings.
func (f *found) Only() words.Text {
	a := f.asked
	switch {
	case len(f.Groups) == 0 || a.more != "":
		return nil
	case a.Born > 0:
		return words.T("Only jail bookings of people born in {1}. Other records are not searched by birth.", strconv.Itoa(a.Born))
	case a.Day != nil:
		return words.T("Only jail bookings of people born on {1}, or in that year if no day is stated. Other records are not searched by birth.",
			words.Day(*a.Day))
	}
	return nil
}

// OthersSay says how many cases with a part of the number are not shown.
func (f *found) OthersSay() words.Text {
	return words.T("{1 more case has|more cases have} this in the case number. Type more of the number to see fewer.", f.Others)
}

// ChargedSays says how many bookings have the words in a charge.
func (f *found) ChargedSays() words.Text {
	if f.asked.Number == "" {
		return words.T("No name matches. {1 booking has|bookings have} a charge with “{2}”.", f.Charged, f.ChargeWords)
	}
	return words.T("{1 booking has|bookings have} a charge with “{2}”.", f.Charged, f.ChargeWords)
}

// CountyOnly reports that a county was asked for as such, and nobody is called so.
func (f *found) CountyOnly() bool {
	return f.County != nil && !f.Any() && strings.HasSuffix(match.SearchKey(f.asked.Typed), countyWord)
}

// NoPrisons reports that state corrections are left out only because their records are of no county.
func (f *found) NoPrisons() bool {
	a := f.asked
	return a.County != "" && a.Status == "" && a.Name != "" && a.cases() != nil && f.Charged == 0 && f.Any() && a.more == ""
}

// Alert is the address of a new alert on the name; empty: what was typed is no name, or no bookings are searched. What nobody is called
// may be a name where it has two words and is nothing else.
func (f *found) Alert() string {
	a := f.asked
	other := len(f.ByNumber) > 0 || f.County != nil || f.InCounty != nil
	if a.Name == "" || a.bookings() == nil || a.more != "" || f.Charged > 0 || len(f.Groups) == 0 && (other || len(f.words) < 2) {
		return ""
	}
	return "/search/alert?" + a.Encode()
}

// Nameless reports whether bookings were found that no alert can watch for, as no name was asked for.
func (f *found) Nameless() bool {
	a := f.asked
	return a.more == "" && (f.Charged > 0 || f.Any() && a.Set > 0 && a.Name == "" && a.Number == "")
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
		return words.T("Type only a birth year or a birth date beside a name. Leave other numbers out.")
	case a.Born > 0 || a.Day != nil:
		return words.T("Leave out the birth to find people of any age.")
	case a.Number != "":
		return words.T("Type a whole record id or offender id, or any part of a case number as the court writes it.")
	case a.Set > 0:
		return words.T("Clear some filters to see more.")
	case a.County != "" && a.Status != "":
		return words.T("Only this county and this status were searched.")
	case a.County != "":
		return words.T("Only this county was searched.")
	case a.Status != "":
		return words.T("Only this status was searched. Choose “Any” to search all.")
	case f.Similar == nil && len(f.words) < similarWords:
		return words.T("Try fewer letters. To see similar names, type a first and a last name. Only covered counties are searched.")
	}
	return words.T("Try fewer letters. Only covered counties are searched.")
}
