package search

import (
	"net/url"
	"strings"
	"unicode"

	"rollcall/models"
	"rollcall/models/account"
	"rollcall/web/page"
)

// savedSearch is a saved search with where an alert is created from it.
type savedSearch struct {
	*account.SavedSearch
	// Alert is that address; empty: the search has no name, so there is nobody to watch for.
	Alert string
}

// alertOfSaved returns where an alert is created from a saved search; empty: nowhere.
func alertOfSaved(saved *account.SavedSearch) string {
	q, err := url.ParseQuery(saved.Query)
	if err != nil {
		return ""
	}
	return newAlertOf(q)
}

// alertFromSearch leads from a search to a new alert with what an alert can hold of it.
func (s Site) alertFromSearch(v *page.Visit) error {
	address := newAlertOf(v.R.URL.Query())
	if address == "" {
		return models.Invalid("q", "an alert watches for a name; add one to this search")
	}
	return page.Redirect(v.W, v.R, address)
}

// unheld are the filters of a search that no alert can hold, by the word that alert-new.js has for them.
var unheld = []struct {
	word       string
	parameters []string
}{
	{"status", []string{"status"}},
	{"charge", []string{"charge"}},
	{"severity", []string{"severity"}},
	{"agency", []string{"agency"}},
	{"bond", []string{"bond_from", "bond_to"}},
	{"age", []string{"age_from", "age_to"}},
	{"booked", []string{"booked_from", "booked_to"}},
	{"released", []string{"released_from", "released_to"}},
}

// newAlertOf returns the address of the form of a new alert that holds the name, the county and the birth of a search, and says
// what it leaves out. Without a name it is empty.
func newAlertOf(q url.Values) string {
	name, born, numbers := personOf(q.Get("q"))
	if name == "" {
		return ""
	}
	out := url.Values{"from": {"search"}, "name": {name}}
	if county := strings.TrimSpace(q.Get("county")); county != "" {
		out.Set("county", county)
	}
	if born != "" {
		out.Set("born", born)
	}
	if numbers {
		out.Add("left", "number")
	}
	for _, filter := range unheld {
		for _, parameter := range filter.parameters {
			if strings.TrimSpace(q.Get(parameter)) != "" {
				out.Add("left", filter.word)
				break
			}
		}
	}
	return "/alerts/new?" + out.Encode()
}

// personOf takes the name out of what was typed into the search, and the birth where one year or one date is beside
// it. numbers reports whether other words with a digit were typed, which are of no name.
func personOf(text string) (name, born string, numbers bool) {
	var words, births []string
	for word := range strings.FieldsSeq(text) {
		b, born := birthOf(word)
		switch {
		case born:
			births = append(births, b.String())
		case strings.ContainsFunc(word, unicode.IsDigit):
			numbers = true
		default:
			words = append(words, word)
		}
	}
	if len(births) == 1 {
		born = births[0]
	}
	name = strings.Join(words, " ")
	if !strings.ContainsFunc(name, unicode.IsLetter) {
		return "", "", false
	}
	return name, born, numbers || len(births) > 1
}
