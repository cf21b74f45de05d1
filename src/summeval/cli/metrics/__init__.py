"""Commands about metrics themselves: which there are, which fit, how they are cited and checked."""
