package main

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"rollcall/internal/cell"
	"rollcall/internal/plural"
	"rollcall/internal/service"
	"rollcall/models"
	"rollcall/models/snapshot"
	"rollcall/notifier"
)

// rehearsal is what a held snapshot would do, in lines for a terminal.
func rehearsal(h *service.Rehearsed) string {
	var b strings.Builder
	fmt.Fprintf(&b, "The held snapshot of run %d would: new %d  changed %d  closed %d  reopened %d  missing %d  (of %s)\n", h.Run, h.New, h.Changed, h.Closed, h.Reopened, h.Missing, plural.Of(h.Rows, "row"))
	for _, doubt := range h.Doubts {
		fmt.Fprintf(&b, "  not complete, so it closes nobody: %s\n", doubt)
	}
	if h.Again > 0 {
		fmt.Fprintf(&b, "  %s gone from known keys and in it under new ones, with the same name and time of booking; if the jail renumbered its bookings: rollcall sources release ID --renumbered\n", plural.Of(h.Again, "person is", "people are"))
	}
	if h.Quarantined > 0 {
		fmt.Fprintf(&b, "  %s would be refused and go to quarantine\n", plural.Of(h.Quarantined, "row"))
	}
	if h.Note != "" {
		fmt.Fprintf(&b, "  %s\n", h.Note)
	}
	fmt.Fprintf(&b, "  alerts that would fire: %s\n", forecast(h.Forecast))
	if h.Renumbered != nil {
		fmt.Fprintf(&b, "  with --renumbered: %s\n", forecast(*h.Renumbered))
	}
	people(&b, "gone", h.Gone, h.Closed)
	people(&b, "new", h.Fresh, h.New)
	for _, a := range h.Altered {
		fmt.Fprintf(&b, "  changed: %s %s:", a.ID, a.Name)
		for i, c := range a.Changes {
			if i > 0 {
				b.WriteString(";")
			}
			fmt.Fprintf(&b, " %s %s -> %s", c.Field, cell.Text(c.Before), cell.Text(c.After))
		}
		b.WriteString("\n")
	}
	more(&b, h.Alters-len(h.Altered))
	return b.String()
}

// forecast is how many alerts would fire, and what they would be sent.
func forecast(f notifier.Forecast) string {
	var kinds []string
	for _, kind := range slices.Sorted(maps.Keys(f.Events)) {
		kinds = append(kinds, fmt.Sprintf("%s %d", kind, f.Events[kind]))
	}
	out := strconv.Itoa(f.Alerts)
	if f.More {
		out = "at least " + out
	}
	if len(kinds) > 0 {
		out += " (" + strings.Join(kinds, ", ") + ")"
	}
	return out
}

// people writes a line for each of a list, and how many of all it leaves out.
func people(b *strings.Builder, what string, list []snapshot.Gone, all int) {
	for _, g := range list {
		since := ""
		if g.Since != nil {
			since = ", booked " + g.Since.In(models.Georgia).Format("2006-01-02")
		}
		fmt.Fprintf(b, "  %s: %s%s\n", what, strings.TrimSpace(g.ID+" "+g.Name), since)
	}
	more(b, all-len(list))
}

// more writes how many lines were left out, if any were.
func more(b *strings.Builder, n int) {
	if n > 0 {
		fmt.Fprintf(b, "  and %d more\n", n)
	}
}
