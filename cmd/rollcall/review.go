package main

import (
	"context"
	"fmt"
	"strconv"
	"text/tabwriter"
	"time"

	"rollcall/internal/cell"
	"rollcall/internal/service"
	"rollcall/models"
	"rollcall/models/store"
)

// reviewCmd groups what operators decide about records that are hidden until somebody has looked: people who
// may be juveniles, and corrections records that vanished. No caller sees such a record before
// (docs/operations.md, What waits for your review).
type reviewCmd struct {
	List     reviewListCmd     `cmd:"" help:"List the records that wait, or were decided about. It names people."`
	Lift     reviewLiftCmd     `cmd:"" help:"Publish a record: the person is no juvenile, or the department still has the record."`
	Keep     reviewKeepCmd     `cmd:"" help:"Keep a record hidden and stop asking; a lifted one is hidden again."`
	Withhold reviewWithholdCmd `cmd:"" help:"Hide a published record, because of an order that its source does not state; lift shows it again."`
}

// reviewListCmd lists reviews. It is one of the few commands that print names, because operators cannot decide
// without them.
type reviewListCmd struct {
	Source  string `help:"Only those of a source."`
	Decided bool   `help:"What was decided, by whom and why, newest first."`
	// Limit below 1 counts as 1. The number of those that are left out is printed.
	Limit int  `default:"100" help:"How many at most."`
	JSON  bool `name:"json" help:"Print JSON."`
}

// pendingJSON is a review as --json prints it. The decision and what belongs to it are null until it is made.
type pendingJSON struct {
	ID     string        `json:"id"`
	Kind   models.Family `json:"kind"`
	Reason string        `json:"reason"`
	Source string        `json:"source"`
	Name   string        `json:"name"`
	// BirthYear is null when no birth is known. A review never shows a full birth date.
	BirthYear *int16 `json:"birth_year"`
	// At is the time of the booking, or the day of the filing; null for a corrections record.
	At *time.Time `json:"at"`
	// Because is the id of the record that raised the doubt. For a booking it is another, withheld booking that
	// may be of the same person, or a court case that states a juvenile's birth. For a court case it is the
	// withheld booking that the case speaks of. It is null when the record itself raised the doubt.
	Because *string `json:"because"`
	// TakenBack is true when the source set its juvenile flag for the person and later took it back.
	TakenBack bool `json:"flag_taken_back"`
	// LastSeen is when a source last listed the record, unchanged or not.
	LastSeen  time.Time              `json:"last_seen"`
	Decision  *models.ReviewDecision `json:"decision"`
	Actor     *string                `json:"actor"`
	Note      *string                `json:"note"`
	DecidedAt *time.Time             `json:"decided_at"`
}

// Run lists the reviews that are pending, oldest first, or those that were decided, newest decision first.
func (c *reviewListCmd) Run(ctx context.Context, app *service.App) error {
	store, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	if err := knownSource(ctx, store, c.Source); err != nil {
		return err
	}
	list, total, err := store.Reviews(ctx, c.Decided, c.Source, max(c.Limit, 1))
	if err != nil {
		return err
	}
	if c.JSON {
		all := make([]pendingJSON, 0, len(list))
		for _, p := range list {
			all = append(all, pendingJSON{
				p.ID, p.Family, string(p.Reason), p.SourceID, p.Name, p.BirthYear, cell.UTC(p.At), p.Because, p.TakenBack,
				p.LastSeen.UTC(), p.Decision, p.Actor, p.Note, cell.UTC(p.DecidedAt),
			})
		}
		return app.PrintJSON(map[string]any{"total": total, "records": all})
	}
	return c.table(app, list, total)
}

// knownSource refuses the id of a source that nobody knows; empty stands for all.
func knownSource(ctx context.Context, store *store.Store, id string) error {
	known, err := store.SourcesByID(ctx)
	if err != nil || id == "" || known[id] != nil {
		return err
	}
	return models.NoSource(id)
}

// table prints reviews for people.
func (c *reviewListCmd) table(app *service.App, list []*models.Pending, total int) error {
	w := tabwriter.NewWriter(app.Stdout, 0, 0, 2, ' ', 0)
	head := "ID\tREASON\tSOURCE\tNAME\tBORN\tBOOKED OR FILED\tLAST SEEN"
	if c.Decided {
		head += "\tDECISION\tAT\tBY\tNOTE"
	}
	fmt.Fprintln(w, head)
	for _, p := range list {
		born := "-"
		if p.BirthYear != nil {
			born = strconv.Itoa(int(*p.BirthYear))
		}
		reason := string(p.Reason)
		if p.Because != nil {
			reason += map[models.Family]string{models.Roster: ", may be of ", models.Courts: ", speaks of "}[p.Family] + *p.Because
		}
		if p.TakenBack {
			reason += ", its source took the juvenile flag back"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s", p.ID, reason, p.SourceID, p.Name, born, cell.Time(p.At), cell.Time(&p.LastSeen))
		if p.Decision != nil {
			fmt.Fprintf(w, "\t%s\t%s\t%s\t%s", *p.Decision, cell.Time(p.DecidedAt), cell.Text(p.Actor), cell.Text(p.Note))
		}
		fmt.Fprintln(w)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if total > len(list) {
		_, err := fmt.Fprintf(app.Stdout, "and %d more\n", total-len(list))
		return err
	}
	return nil
}

// reviewOne names a record and the grounds of a decision about it.
type reviewOne struct {
	ID string `arg:"" help:"Id of the record, as its page, GraphQL and rollcall review list show it."`
	// Note is stored with the decision and shown to other operators, so it should name nobody.
	Note string `required:"" help:"On what grounds; kept with the decision, so name nobody."`
	JSON bool   `name:"json" help:"Print JSON."`
}

// reviewLiftCmd publishes a record. The decision outlasts what the source sends next, until the source states a
// juvenile's birth or flag, or lists a vanished record again.
type reviewLiftCmd struct{ reviewOne }

// Run publishes the record. A booking that is published while the person is in jail is a `booking` event to
// watchers.
func (c *reviewLiftCmd) Run(ctx context.Context, app *service.App) error {
	return c.decide(ctx, app, models.ReviewLifted, "is published")
}

// reviewKeepCmd keeps a record hidden and ends the question. After a lift it hides the record again.
type reviewKeepCmd struct{ reviewOne }

// Run keeps the record hidden.
func (c *reviewKeepCmd) Run(ctx context.Context, app *service.App) error {
	return c.decide(ctx, app, models.ReviewKept, "stays hidden")
}

// reviewWithholdCmd hides any record until review lift, whatever its sources send.
type reviewWithholdCmd struct{ reviewOne }

// Run withholds the record as restricted, with all that is under way of it.
func (c *reviewWithholdCmd) Run(ctx context.Context, app *service.App) error {
	return c.decide(ctx, app, "withheld", "is hidden until rollcall review lift")
}

// decide stores a decision under the name of the operator and prints what follows from it. A record that is not
// under review is a not-found error, unless it is withheld by hand.
func (c *reviewOne) decide(ctx context.Context, app *service.App, decision models.ReviewDecision, said string) error {
	store, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	if decision == "withheld" {
		_, err = store.Restrict(ctx, c.ID, service.Operator(), c.Note)
	} else {
		err = store.Review(ctx, c.ID, decision, service.Operator(), c.Note)
	}
	if err != nil {
		return err
	}
	if c.JSON {
		return app.PrintJSON(map[string]any{"id": c.ID, "decision": decision})
	}
	_, err = fmt.Fprintf(app.Stdout, "%s %s.\n", c.ID, said)
	return err
}
