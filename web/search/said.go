package search

import (
	"slices"
	"strconv"
	"strings"

	"rollcall/match"
	"rollcall/models"
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

// Unsearched says what was typed beside a name and is no number of a record, such as a birth date: names alone are compared.
func (f *found) Unsearched() words.Text {
	a := f.asked
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
	if a.Born > 0 {
		born = words.T("Only people born in {1}.", strconv.Itoa(a.Born))
	}
	return words.Join(" ", born, words.T("Filters and birth years apply to jail bookings: court cases and state corrections are not searched."))
}

// ChargedSays says how many bookings have the words in a charge.
func (f *found) ChargedSays() words.Text {
	return words.T("{1 booking has|bookings have} a charge with “{2}”.", f.Charged, f.ChargeWords)
}

// countyTyped returns the county whose name was typed: with the word County, or alone where nothing is found, as it may be a surname.
func countyTyped(all []*models.County, a *asked, found bool) *models.County {
	if a.more != "" {
		return nil
	}
	typed := match.SearchKey(a.Typed)
	name, whole := strings.CutSuffix(typed, " county")
	if !whole && found {
		return nil
	}
	i := slices.IndexFunc(all, func(c *models.County) bool { return match.SearchKey(c.Name) == name })
	if i < 0 {
		return nil
	}
	return all[i]
}

// CountySays says what the page of the county has whose name was typed.
func (f *found) CountySays() words.Text {
	return words.T("{1} County: its jail and who is held", f.County.Name)
}

// CountyOnly reports that state corrections are left out only because their records are of no county.
func (f *found) CountyOnly() bool {
	a := f.asked
	return a.County != "" && a.Status == "" && a.Name != "" && a.cases() != nil && f.Any() && a.more == ""
}

// Alert is the address of a new alert on the name; empty: the search has none, or searches no bookings. Where nothing was found the name
// must have two words.
func (f *found) Alert() string {
	a := f.asked
	if a.Name == "" || a.bookings() == nil || a.more != "" || !f.Any() && len(f.words) < 2 {
		return ""
	}
	return "/search/alert?" + a.Encode()
}

// Hint says what may find more, where nothing was found.
func (f *found) Hint() words.Text {
	switch a := f.asked; {
	case a.Number != "":
		return words.T("A record id and an offender id have to be whole; of a case number any part is enough, as the court writes it.")
	case a.Set > 0:
		return words.T("Nothing matches these filters. Clear some of them to see more.")
	case a.County != "" && a.Status != "":
		return words.T("Nothing matches with this county and status. Search all of Georgia, or choose another filter.")
	case a.County != "":
		return words.T("Nothing matches with this county. Search all of Georgia, or choose another filter.")
	case a.Status != "":
		return words.T("Nothing matches with this status. Choose any status to see all.")
	}
	return words.T("Try fewer letters, or look at similar names below. Only covered counties are searched.")
}
