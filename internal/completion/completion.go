// Package completion prints scripts that complete the commands and flags of rollcall in bash, zsh and fish. They are
// made from the command line's own definition, so they know every command. They run nothing while somebody types.
package completion

import (
	"embed"
	"fmt"
	"io"
	"strings"
	"text/template"

	"github.com/alecthomas/kong"
)

//go:embed *.tmpl
var files embed.FS

// scripts are the templates, one a shell.
var scripts = template.Must(template.New("").Funcs(template.FuncMap{"quote": quote, "words": words}).ParseFS(files, "*.tmpl"))

// Command is `rollcall completion`.
type Command struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// Help says how a script is loaded.
func (Command) Help() string {
	return "Load it in the file that your shell reads at its start. " +
		"bash: source <(rollcall completion bash). zsh, after compinit: source <(rollcall completion zsh). fish: rollcall completion fish | source."
}

// Run prints the script. It needs neither a database nor settings.
func (c *Command) Run(k *kong.Context) error {
	return Write(k.Stdout, c.Shell, k.Model.Node)
}

// Write prints the script of a shell for a command line.
func Write(w io.Writer, shell string, root *kong.Node) error {
	if err := scripts.ExecuteTemplate(w, shell+".tmpl", commands(root, "")); err != nil {
		return fmt.Errorf("write completion for %s: %w", shell, err)
	}
	return nil
}

// command is a command with what may follow it.
type command struct {
	// Path is its words below rollcall, empty for rollcall itself.
	Path string
	// Words are its subcommands, then its flags.
	Words []word
}

// word is a subcommand, or a flag with its dashes.
type word struct{ Name, Help string }

// commands returns a command and those below it. Hidden ones are left out.
func commands(n *kong.Node, path string) []command {
	own := command{Path: path}
	var below []command
	for _, child := range n.Children {
		if child.Hidden || child.Type != kong.CommandNode {
			continue
		}
		own.Words = append(own.Words, word{child.Name, child.Help})
		below = append(below, commands(child, strings.TrimSpace(path+" "+child.Name))...)
	}
	for _, flag := range n.Flags {
		if !flag.Hidden {
			own.Words = append(own.Words, word{"--" + flag.Name, flag.Help})
		}
	}
	if path != "" {
		own.Words = append(own.Words, word{"--help", "Show context-sensitive help."})
	}
	return append([]command{own}, below...)
}

// words returns the names of some words with blanks between.
func words(all []word) string {
	names := make([]string, len(all))
	for i, w := range all {
		names[i] = w.Name
	}
	return strings.Join(names, " ")
}

// quote returns a text as one word of a shell. Within single quotes all three take everything but the quote itself,
// which help can do without.
func quote(s string) string { return "'" + strings.NewReplacer("'", "’", `\`, "/").Replace(s) + "'" }
