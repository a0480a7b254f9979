package main

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// measureRevision measures the files of a revision. git writes them to a temporary directory, which is removed
// after.
func measureRevision(ctx context.Context, dir, revision string) (h *house, err error) {
	to, err := os.MkdirTemp("", "house-*")
	if err != nil {
		return nil, fmt.Errorf("make directory for %s: %w", revision, err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(to)) }()
	git := exec.CommandContext(ctx, "git", "-C", dir, "archive", "--format=tar", "--", revision) //nolint:gosec // the developer names the revision
	// git explains better than an exit code that there is no such revision.
	git.Stderr = os.Stderr
	out, err := git.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", revision, err)
	}
	if err := git.Start(); err != nil {
		return nil, fmt.Errorf("run git: %w", err)
	}
	err = unpack(out, to)
	// git has to write everything, or it ends with an error of its own.
	if _, drained := io.Copy(io.Discard, out); err == nil {
		err = drained
	}
	if err := errors.Join(err, git.Wait()); err != nil {
		return nil, fmt.Errorf("read %s: %w", revision, err)
	}
	return measure(to)
}

// unpack writes the regular files of an archive below dir. os.Root keeps them inside it.
func unpack(from io.Reader, dir string) (err error) {
	// The archive comes from git, but nothing in it may lead out of dir.
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	for archive := tar.NewReader(from); ; {
		head, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		// Directories are made with their files, and links are no source.
		if head.Typeflag != tar.TypeReg {
			continue
		}
		if err := writeOut(root, filepath.FromSlash(head.Name), archive); err != nil {
			return err
		}
	}
}

// writeOut makes one file with its directories.
func writeOut(root *os.Root, name string, from io.Reader) error {
	if err := root.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	f, err := root.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from)
	return errors.Join(err, f.Close())
}
