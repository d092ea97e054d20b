def checks(jdk, same):
    return {}
