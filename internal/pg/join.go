package pg

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"time"

	"github.com/jackc/pgx/v5"
)

// joinWait bounds how long Join waits for a server whose owner lives but that does not answer yet.
const joinWait = 60 * time.Second

// Join returns the connection string of the server that another process (serve, demo) runs for the data
// directory dir. It waits up to a minute for a server that is just starting. Without an owner the error is
// [ErrNotRunning]. Root and the owner's user can join; others get the permission error of the system.
func Join(ctx context.Context, dir string) (string, error) {
	h, err := locate(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%w (%s)", ErrNotRunning, dir)
	}
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, joinWait)
	defer cancel()
	var target string
	err = poll(ctx, func() (bool, error) {
		text, err := os.ReadFile(h.url())
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false, fmt.Errorf("read the server's url: %w", err)
		}
		// The file of an earlier server may still be there, so only a server that answers counts.
		target = string(text)
		if target != "" && answers(ctx, target) == nil {
			return true, nil
		}
		owned, err := h.owned()
		if err == nil && !owned {
			err = fmt.Errorf("%w (%s)", ErrNotRunning, dir)
		}
		return false, err
	})
	if errors.Is(err, context.DeadlineExceeded) {
		return "", fmt.Errorf("the database of %s is owned by a process but does not answer: %w", dir, err)
	}
	return target, err
}

// answers returns nil when the server at target accepts a connection.
func answers(ctx context.Context, target string) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, target)
	if err != nil {
		return err
	}
	return conn.Close(ctx)
}

// connectionString names a database of the server whose socket is in dir.
func connectionString(dir, database string) string {
	u := url.URL{Scheme: "postgres", User: url.User(Role), Path: "/" + database}
	u.RawQuery = url.Values{"host": {dir}, "port": {"5432"}, "sslmode": {"disable"}}.Encode()
	return u.String()
}

// socketDirOf returns the directory in a string that connectionString made, or "".
func socketDirOf(target string) string {
	u, err := url.Parse(target)
	if err != nil {
		return ""
	}
	return u.Query().Get("host")
}
