package demo

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"rollcall/internal/simulator"
)

// faultText is what a fault looks like to an operator.
var faultText = map[simulator.Fault]string{
	simulator.Truncated:  "every answer is cut off",
	simulator.Captcha:    "wants a human being",
	simulator.Layout:     "changed its columns",
	simulator.Duplicated: "repeats its first page",
	simulator.Late:       "answers with old data",
	simulator.ErrorAs200: "answers an error as if all were well",
}

// Misbehave makes six sources fail, each in another way, and prints which. All were read without a fault
// before, so that each has records that a careless ingest would release.
func (w *World) Misbehave(out io.Writer) error {
	chaos := simulator.SomeChaos(w.sim.Feeds())
	if err := w.sim.SetChaos(chaos); err != nil {
		return err
	}
	_, err := fmt.Fprintln(out, "\nFrom now on these sources misbehave; nobody is released for it, and /v1/sources states what is wrong:")
	for _, id := range slices.Sorted(maps.Keys(chaos)) {
		if err == nil {
			_, err = fmt.Fprintf(out, "  %-28s %s\n", sourceID(id), faultText[chaos[id][0]])
		}
	}
	return err
}
