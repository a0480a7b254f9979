// Command rollcall answers who is in jail in Georgia, on what charge and with what bond, and notifies watchers
// when that changes. One binary holds the server, the workers, the demo, the benchmarks and the tools of
// operators.
//
// This package parses the command line and prints. It has no rules and no SQL, and it is the only package that
// reads the environment. Each command is a struct of flags with a method Run. Kong fills the flags and calls
// Run with the context of the process and a *service.App, which opens the database, the server or the jobs.
// What a command does with them is one or two calls into the package of its subject.
//
// Rules that all commands follow:
//
//   - Results go to standard output; progress, questions and logs go to standard error.
//   - The exit code is 0 on success, 1 when the command failed, and 2 for a usage or configuration error.
//   - With --json a command prints JSON in snake_case instead of sentences and tables; unknown values are null.
//   - A change in an account is recorded in its audit trail under the user of the operating system (operator).
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"rollcall/internal/author"
	"rollcall/internal/completion"
	"rollcall/internal/customer"
	"rollcall/internal/evaluate"
	"rollcall/internal/incident"
	"rollcall/internal/likeness"
	"rollcall/internal/removal"
	"rollcall/internal/rotation"
	"rollcall/internal/service"
	"rollcall/internal/watchers"
	"rollcall/models"
)

// version is set by the linker for releases. The User-Agent of webhook deliveries names it.
var version = "dev"

// cli is the command line. Each field is a command or a group of commands; its help text is what `rollcall
// --help` prints. The fields are in the order of that list.
type cli struct {
	// Serve, Demo and Work run until interrupted. All other commands but webhook listen end by themselves.
	Serve serveCmd `cmd:"" help:"Migrate the database and serve the API, with the jobs unless --no-jobs."`
	// Account, Key and Feed are about customers and what opens the service to them.
	Account customer.AccountCommand `cmd:"" help:"Make, list and change accounts."`
	Key     customer.KeyCommand     `cmd:"" help:"Make, list and revoke API keys."`
	Feed    feedCmd                 `cmd:"" help:"Make, list and revoke calendars of hearings."`
	Demo    demoCmd                 `cmd:"" help:"Start everything on this machine with invented, living data."`
	Work    workCmd                 `cmd:"" help:"Work the job queue, beside serve --no-jobs."`
	// Ingest, Import and Sources are about how records come in.
	Ingest  ingestCmd  `cmd:"" help:"Read a source once, from its address or from given files: rollcall ingest --source ID --file FILE."`
	Import  importCmd  `cmd:"" help:"Take the records of an existing system over, with their ids."`
	Sources sourcesCmd `cmd:"" help:"List, check, enable and disable sources."`
	// Quarantine shows the rows that could not be read, until they are read again by ingest replay.
	Quarantine author.Quarantine `cmd:"" help:"List the rows that could not be read, and show the text of one."`
	// Review and Link, and below them Merge, Unmerge and Rebuild, are decisions of operators about records.
	// They are stored and survive whatever the sources send later.
	Review reviewCmd `cmd:"" help:"List and decide what waits for your review: people who may be juveniles, and records that vanished."`
	Link   linkCmd   `cmd:"" help:"Explain, confirm and dismiss links between bookings and corrections records."`
	// Webhook and Deliveries are about alerts.
	Webhook    webhookCmd    `cmd:"" help:"Receive webhooks on this machine; show and replace the secrets that sign them."`
	Deliveries deliveriesCmd `cmd:"" help:"List and repeat what was sent to webhooks."`
	// Photographs are what was brought of photographs, and requests to remove them.
	Photographs removal.Command `cmd:"" help:"Say which photographs were brought, and keep requests to remove them."`
	// Incident is what operators say on the status page.
	Incident incident.Command `cmd:"" help:"Say on the public status page what is wrong."`
	// Watchers takes many names in at once, and out again.
	Watchers watchers.Command `cmd:"" help:"Import and export the alerts of an account as CSV."`
	Migrate  migrateCmd       `cmd:"" help:"Bring the database to the newest schema."`
	// Secrets is about the keys under which values are encrypted, and not about webhook secret.
	Secrets rotation.Command `cmd:"" help:"Replace the secret key under which archives and webhook secrets are encrypted."`
	// Match needs neither a database nor settings. Its flags are defined in internal/evaluate.
	Match evaluate.Command `cmd:"" help:"Evaluate the matching of names on files of your own; needs no database."`
	// Faces installs and measures the verifier of photographs. Its flags are defined in internal/likeness.
	Faces   likeness.Command `cmd:"" help:"Install the verifier of photographs and measure it on files of your own; needs no database."`
	Bench   benchmarks       `cmd:"" help:"Measure the query mix, the ingest, alerts, or photographs."`
	Merge   mergeCmd         `cmd:"" help:"Merge records that turned out to be one; both ids keep resolving."`
	Unmerge unmergeCmd       `cmd:"" help:"Take a merge back: the record that went is one of its own again."`
	Rebuild rebuildCmd       `cmd:"" help:"Resolve every record anew from what its sources claim, after a rule changed."`
	// Completion prints a script for a shell.
	Completion completion.Command `cmd:"" help:"Print what completes commands and flags in your shell."`

	Version kong.VersionFlag `help:"Print the version."`
}

// main passes the arguments, streams and environment of the process to run. An interrupt or SIGTERM ends the
// context, and each command then drains in its own way.
func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr, os.Getenv)
	stop()
	os.Exit(code)
}

// exit carries an exit code out of kong, which would otherwise end the process inside a test.
type exit int

// run is main without the process, so that tests can run commands in their own process. It returns the exit
// code. getenv is called for settings only; secrets that it returns are never printed.
func run(ctx context.Context, args []string, stdout, stderr io.Writer, getenv func(string) string) (code int) {
	return runAt(ctx, time.Now, args, stdout, stderr, getenv)
}

// runAt is run by another clock: a test lives weeks of an operator with it.
func runAt(ctx context.Context, now func() time.Time, args []string, stdout, stderr io.Writer, getenv func(string) string) (code int) {
	// Only kong's exit is caught here. Any other panic is a bug and keeps its stack trace.
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
		kong.Description(
			"Who is in jail in Georgia, on what charge, with what bond, in which court, in which prison. Settings come from the environment: see README.md."),
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
	// Arguments are parsed before the environment is read, so that --help works in any environment.
	parsed, err := parser.Parse(spoken(args))
	if err != nil {
		_, _ = fmt.Fprintf(stderr, "rollcall: %v\nTry: %s --help\n", err, meant(err))
		return 2
	}
	cfg, err := service.ReadConfig(getenv)
	if err != nil {
		_, _ = fmt.Fprintln(stderr, "rollcall:", err)
		return 2
	}
	app := &service.App{Version: version, Config: cfg, Now: now, Stdout: stdout, Stderr: stderr, Log: service.NewLogger(stderr, cfg.LogLevel)}
	if err := parsed.Run(app); err != nil {
		_, _ = fmt.Fprintf(stderr, "rollcall: %v%s\n", err, hint(err))
		return 1
	}
	return 0
}

// spoken returns the arguments as kong takes them: `help` and `version` are words for flags, and `bench` alone asks what
// it measures, as other groups do.
func spoken(args []string) []string {
	switch {
	case len(args) > 0 && args[0] == "help":
		return append(slices.Clone(args[1:]), "--help")
	case len(args) == 1 && args[0] == "version":
		return []string{"--version"}
	case len(args) == 1 && args[0] == "bench":
		return []string{"bench", "--help"}
	}
	return args
}

// meant returns the command that a usage error is about, as far as it was recognised.
func meant(err error) string {
	words := []string{"rollcall"}
	if wrong, ok := errors.AsType[*kong.ParseError](err); ok {
		for _, part := range wrong.Context.Path {
			if part.Command != nil {
				words = append(words, part.Command.Name)
			}
		}
	}
	return strings.Join(words, " ")
}

// hint names the command that lists what err did not find. It is empty for other errors. The errors themselves
// stay free of command names, because pages and APIs show them too.
func hint(err error) string {
	switch {
	case errors.Is(err, models.ErrNoAccount):
		return "; list them with: rollcall account list"
	case errors.Is(err, models.ErrNoKey):
		return "; list them with: rollcall key list"
	case errors.Is(err, models.ErrNoSource):
		return "; list them with: rollcall sources list"
	case errors.Is(err, models.ErrNoReview):
		return "; rollcall review list shows those that do"
	case errors.Is(err, models.ErrNoAccountOrCase):
		return "; list accounts with: rollcall account list"
	}
	return ""
}
