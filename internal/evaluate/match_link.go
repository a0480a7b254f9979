package evaluate

import (
	"bufio"
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"

	"rollcall/internal/service"
	"rollcall/match"
)

// linkCmd links bookings to corrections records as the service does, but without operators' decisions.
type linkCmd struct {
	// Bookings and Records are read into memory. A missing date of birth may be empty; a bare year is used as
	// such.
	Bookings string `required:"" help:"Lines: id, name, date of birth (YYYY-MM-DD, a year, or empty), county, with a tab between."`
	Records  string `required:"" help:"Lines: id, name, date of birth, with a tab between."`
	// Explain adds what an operator needs to judge a link that looks wrong.
	Explain bool `help:"Print probability and reasons as further columns."`
}

// linkLine is a booking with its id.
type linkLine struct {
	id      string
	booking match.Booking
}

// Run prints one line for each booking that has a link: booking, record, confidence.
func (c *linkCmd) Run(ctx context.Context, app *service.App) error {
	records, err := readLines(ctx, c.Records, 2, func(f []string) match.Record {
		return match.Record{ID: at(f, 0), Name: match.Parse(at(f, 1)), Born: match.ParseBirth(at(f, 2))}
	})
	if err != nil {
		return err
	}
	bookings, err := readLines(ctx, c.Bookings, 2, func(f []string) linkLine {
		return linkLine{at(f, 0), match.Booking{Name: match.Parse(at(f, 1)), Born: match.ParseBirth(at(f, 2)), County: at(f, 3)}}
	})
	if err != nil {
		return err
	}
	links := c.link(ctx, match.NewLinker(records), bookings)
	// After an interrupt the links are incomplete, and a part of them would look like all.
	if err := ctx.Err(); err != nil {
		return err
	}
	out := bufio.NewWriterSize(app.Stdout, 1<<16)
	for i, l := range links {
		if l.Confidence == match.NoLink {
			continue
		}
		_, _ = fmt.Fprintf(out, "%s\t%s\t%s", bookings[i].id, l.RecordID, l.Confidence)
		if c.Explain {
			_, _ = fmt.Fprintf(out, "\t%.6f\t%s", l.Probability, strings.Join(l.Reasons, "; "))
		}
		_, _ = fmt.Fprintln(out)
	}
	return out.Flush()
}

// link links bookings on all cores. The results are in the order of the bookings. The linker is safe for
// concurrent use.
func (c *linkCmd) link(ctx context.Context, linker *match.Linker, bookings []linkLine) []match.Link {
	links := make([]match.Link, len(bookings))
	workers := runtime.GOMAXPROCS(0)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w; i < len(bookings) && ctx.Err() == nil; i += workers {
				links[i] = linker.Link(&bookings[i].booking, c.Explain)
			}
		})
	}
	wg.Wait()
	return links
}
