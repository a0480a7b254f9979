// Command rollcall answers who is in jail in Georgia, on what charge, with what bond, and tells
// watchers the moment that changes. This package wires the rooms together and runs them: it holds
// no rules and no SQL, and it is the only one that reads the environment.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"

	"rollcall/internal/evaluate"
	"rollcall/internal/service"
	"rollcall/models"
)

// version is set by the linker for releases.
var version = "dev"

// cli is the command line: one field a command.
type cli struct {
	Serve      serveCmd         `cmd:"" help:"Migrate the database and serve the API, with the jobs unless --no-jobs."`
	Account    accountCmd       `cmd:"" help:"Make, list and change accounts."`
	Key        keyCmd           `cmd:"" help:"Make, list and revoke API keys."`
	Feed       feedCmd          `cmd:"" help:"Make, list and revoke calendars of hearings."`
	Demo       demoCmd          `cmd:"" help:"Start everything on this machine with invented, living data."`
	Work       workCmd          `cmd:"" help:"Work the job queue, beside serve --no-jobs."`
	Ingest     ingestCmd        `cmd:"" help:"Read a source once, from its address or from given files."`
	Import     importCmd        `cmd:"" help:"Take the records of an existing system over, with their ids."`
	Sources    sourcesCmd       `cmd:"" help:"List, check, enable and disable sources."`
	Review     reviewCmd        `cmd:"" help:"List and decide what waits for your review: people who may be juveniles, and records that vanished."`
	Link       linkCmd          `cmd:"" help:"Explain, confirm and dismiss links between bookings and corrections records."`
	Webhook    webhookCmd       `cmd:"" help:"Receive webhooks on this machine; show and replace the secrets that sign them."`
	Deliveries deliveriesCmd    `cmd:"" help:"List and repeat what was sent to webhooks."`
	Migrate    migrateCmd       `cmd:"" help:"Bring the database to the newest schema."`
	Match      evaluate.Command `cmd:"" help:"Evaluate the matching of names on files of your own; needs no database."`
	Bench      benchmarks       `cmd:"" help:"Measure the query mix, the ingest, or alerts."`
	Merge      mergeCmd         `cmd:"" help:"Merge records that turned out to be one; both ids keep resolving."`
	Unmerge    unmergeCmd       `cmd:"" help:"Take a merge back: the record that went is one of its own again."`
	Rebuild    rebuildCmd       `cmd:"" help:"Resolve every record anew from what its sources claim, after a rule changed."`

	Version kong.VersionFlag `help:"Print the version."`
}

// main is run with the process's arguments, streams and environment; an interrupt ends its context.
func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr, os.Getenv)
	stop()
	os.Exit(code)
}

// exit carries an exit code out of kong, which would otherwise end the process.
type exit int

// run is main without the process: it gives the exit code, 0 only on success.
func run(ctx context.Context, args []string, stdout, stderr io.Writer, getenv func(string) string) (code int) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case exit:
			code = int(e)
		default:
			panic(e)
		}
	}()
	var c cli
	parser, err := kong.New(&c,
		kong.Name("rollcall"),
		kong.Description("Who is in jail in Georgia, on what charge, with what bond, in which court, in which prison. Settings come from the environment: see README.md."),
		kong.Writers(stdout, stderr),
		kong.Exit(func(code int) { panic(exit(code)) }),
		kong.Vars{"version": version},
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.UsageOnError(),
	)
	if err != nil {
		_, _ = fmt.Fprintln(stderr, "rollcall:", err)
		return 1
	}
	parsed, err := parser.Parse(args)
	if err != nil {
		_, _ = fmt.Fprintf(stderr, "rollcall: %v\nTry: rollcall --help\n", err)
		return 2
	}
	cfg, err := service.ReadConfig(getenv)
	if err != nil {
		_, _ = fmt.Fprintln(stderr, "rollcall:", err)
		return 2
	}
	app := &service.App{Version: version, Config: cfg, Stdout: stdout, Stderr: stderr, Log: service.NewLogger(stderr, cfg.LogLevel)}
	if err := parsed.Run(app); err != nil {
		if !errors.Is(err, errReported) {
			_, _ = fmt.Fprintf(stderr, "rollcall: %v%s\n", err, hint(err))
		}
		return 1
	}
	return 0
}

// hint names the command that lists what err did not find, or is empty.
func hint(err error) string {
	switch {
	case errors.Is(err, models.ErrNoAccount):
		return "; list them with: rollcall account list"
	case errors.Is(err, models.ErrNoKey):
		return "; list them with: rollcall key list"
	case errors.Is(err, models.ErrNoSource):
		return ": rollcall sources list tells their ids"
	case errors.Is(err, models.ErrNoReview):
		return "; rollcall review list shows those that do"
	case errors.Is(err, models.ErrNoAccountOrCase):
		return "; list accounts with: rollcall account list"
	}
	return ""
}

// errReported ends a command unsuccessfully after it has told why itself.
var errReported = errors.New("reported")
