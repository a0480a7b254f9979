package simulator

import (
	"cmp"
	"encoding/json"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"
)

// raceWord and sexWord are the words for the letters of a booking.
func raceWord(letter string) string {
	return map[string]string{"W": "White", "B": "Black", "H": "Hispanic", "A": "Asian", "U": "Unknown"}[letter]
}

func sexWord(letter string) string {
	if letter == "F" {
		return "Female"
	}
	return "Male"
}

// gradeWord is the word for a charge's grade.
func gradeWord(grade string) string {
	if grade == "F" {
		return "Felony"
	}
	return "Misdemeanor"
}

// attach names the file that an answer is.
func attach(w http.ResponseWriter, name string) {
	w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
}

// byName orders bookings as rosters do.
func byName(bookings []Booking) []Booking {
	sorted := slices.Clone(bookings)
	slices.SortFunc(sorted, func(a, b Booking) int {
		return cmp.Or(strings.Compare(a.Name.LastFirst(), b.Name.LastFirst()), a.Booked.Compare(b.Booked), cmp.Compare(a.Number, b.Number))
	})
	return sorted
}

// since keeps the releases after a time.
func since(departed []Booking, at time.Time) []Booking {
	return slices.DeleteFunc(slices.Clone(departed), func(b Booking) bool { return !b.Released.After(at) })
}

// adults leaves juveniles out. A jail does so itself if its page has no flag or birth date to recognise them.
func adults(bookings []Booking) []Booking {
	return slices.DeleteFunc(slices.Clone(bookings), Booking.Juvenile)
}

// sendJSON answers with a value as JSON, without escaping HTML in texts.
func sendJSON(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return // the reader went away
	}
}

// pick chooses one of the texts by a booking's mark, always the same one for the same booking.
func pick(mark uint64, texts ...string) string { return texts[mark%uint64(len(texts))] }
