package simulator

import (
	"bytes"
	"html/template"
	"net/http"
	"strings"
	"time"
)

// htmlFuncs are what the vendors' templates need.
var htmlFuncs = template.FuncMap{
	"when":       func(zone *time.Location, at time.Time, layout string) string { return at.In(zone).Format(layout) },
	"age":        ageAt,
	"sex":        sexWord,
	"race":       raceWord,
	"upper":      strings.ToUpper,
	"docketName": docketName,
	"docketBond": docketBond,
	"bond":       bondWords,
	"bondNumber": bondNumber,
	"bondType":   bondType,
	"subject":    subjectNumber,
	"photograph": photographName,
	"total": func(b Booking) string {
		if cents, ok := b.Bond(); ok {
			return "$" + commas(cents)
		}
		return "$0.00"
	},
}

// bondWords is how web pages write a bond: `$1,500.00`, `NO BOND`, or a lone dollar sign where none is set.
func bondWords(b Bond) string {
	if cents, ok := b.Amount(); ok {
		return "$" + commas(cents)
	}
	if b.Kind == NoBond {
		return "NO BOND"
	}
	return "$"
}

// commas writes cents as `12,500.00`.
func commas(cents int64) string {
	text := dollars(cents)
	for at := len(text) - 6; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

// send answers with a template's page.
func send(w http.ResponseWriter, page *template.Template, data any) {
	var body bytes.Buffer
	if err := page.Execute(&body, data); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(body.Bytes())
}
